import { GLOBAL_PROCESS_BUS_TOPIC, type ProcessBus } from '#core/realtime/bus.ts'
import { PresenceTracker, type PresenceUserId } from '#core/realtime/presence.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'

/**
 * The name of the only channel in the PresenceTracker of ChannelAndPresenceWebhooks. The "users" of this
 * channel are the names of the occupied channels. PresenceTracker reports that a user has left only after a
 * delay, so `channel_vacated` is sent only if the channel stays without subscribers during this delay.
 */
const OCCUPIED = ''

/**
 * Tracks which channels have subscribers in any process. Queues webhooks when this changes, and when a user
 * joins or leaves a presence channel. Only the process that started first queues them, so each change is
 * sent once. Without WEBHOOK_URL this class stores nothing.
 */
export class ChannelAndPresenceWebhooks {
  private readonly channels: PresenceTracker
  private readonly bus: ProcessBus
  private readonly webhooks: WebhookQueue

  constructor(bus: ProcessBus, webhooks: WebhookQueue) {
    this.bus = bus
    this.webhooks = webhooks
    this.channels = new PresenceTracker({
      onJoin: (_, channel, __, isNew) => isNew && this.addWebhook('channel_occupied', String(channel)),
      onLeave: (_, channel) => this.addWebhook('channel_vacated', String(channel)),
    })
  }

  /**
   * Called when the first connection of this process has subscribed to a channel, or the last one has left
   * it.
   */
  changed(channel: string, isOccupied: boolean) {
    if (!this.webhooks.isOn) return
    this.onChange(this.bus.processId, channel, isOccupied)
    void this.bus.publish(GLOBAL_PROCESS_BUS_TOPIC, { kind: 'occupancy', channel, isOccupied })
  }

  /**
   * Applies a change that this process or another one has announced: the channel now has subscribers in
   * that process, or has none any more.
   */
  onChange(process: string, channel: string, isOccupied: boolean) {
    if (isOccupied) this.channels.join(process, OCCUPIED, channel, null)
    else this.channels.leave(process, OCCUPIED, channel)
  }

  /** Returns the names of the channels that have subscribers in this process. */
  localChannels(): string[] {
    return this.channels.usersOf(this.bus.processId).map(([, channel]) => String(channel))
  }

  /**
   * Replaces what is known about a process: `channels` are now the channels that have subscribers in it.
   */
  replace(process: string, channels: readonly string[]) {
    this.channels.replace(
      process,
      channels.map((channel) => [OCCUPIED, channel, null]),
    )
  }

  memberChanged(name: 'member_added' | 'member_removed', channel: string, user: PresenceUserId) {
    if (this.isOldestProcess()) this.webhooks.add({ name, channel, user_id: String(user) })
  }

  private addWebhook(name: 'channel_occupied' | 'channel_vacated', channel: string) {
    if (this.isOldestProcess()) this.webhooks.add({ name, channel })
  }

  /**
   * Whether this process started before all others: the id of a process begins with the time of its start.
   */
  private isOldestProcess() {
    return this.bus.otherProcesses().every((other) => other > this.bus.processId)
  }

  /** Sends the delayed `channel_vacated` events at once. */
  flush() {
    this.channels.flush()
  }
}

import { GLOBAL_TOPIC, type ProcessBus } from '#core/realtime/bus.ts'
import { PresenceTracker, type PresenceUserId } from '#core/realtime/presence.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'

/**
 * The only channel of the tracker; its "users" are the occupied channels. The tracker reports leaves late, so
 * `channel_vacated` is sent only if a channel stays without subscribers.
 */
const OCCUPIED = ''

/**
 * Queues webhooks when channels get or lose their subscribers in all processes, and members join or leave.
 * Only the process that started first does, so each is sent once. Stores nothing without WEBHOOK_URL.
 */
export class Occupancy {
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

  /** Called after the first subscription of this process to the channel, or the end of the last one. */
  changed(channel: string, isOccupied: boolean) {
    if (!this.webhooks.isOn) return
    this.onChange(this.bus.processId, channel, isOccupied)
    void this.bus.publish(GLOBAL_TOPIC, { kind: 'occupancy', channel, isOccupied })
  }

  /** A change that this process or another one has announced. */
  onChange(process: string, channel: string, isOccupied: boolean) {
    if (isOccupied) this.channels.join(process, OCCUPIED, channel, null)
    else this.channels.leave(process, OCCUPIED, channel)
  }

  /** With subscribers in this process. */
  localChannels(): string[] {
    return this.channels.usersOf(this.bus.processId).map(([, channel]) => String(channel))
  }

  /** `channels` are all that now have subscribers in the process. */
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

  /** The id of a process begins with the time of its start. */
  private isOldestProcess() {
    return this.bus.otherProcesses().every((other) => other > this.bus.processId)
  }

  /** Sends delayed `channel_vacated` events at once. */
  flush() {
    this.channels.flush()
  }
}

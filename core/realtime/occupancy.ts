import { type Bus, NO_CHANNEL } from '#core/realtime/bus.ts'
import { Presence, type UserId } from '#core/realtime/presence.ts'
import type { Webhooks } from '#core/realtime/webhooks.ts'

/**
 * The only channel in the `Presence` of `Occupancy`: its "users" are the names of the occupied channels. So a
 * channel counts as vacated only some time after the last process has left it.
 */
const ALL = ''

/**
 * The channels that have subscribers in any process, for webhooks. The process that started first sends the
 * webhooks of all processes, so each change is sent once. Without webhooks it stores nothing.
 */
export class Occupancy {
  private readonly channels: Presence
  private readonly bus: Bus
  private readonly webhooks: Webhooks

  constructor(bus: Bus, webhooks: Webhooks) {
    this.bus = bus
    this.webhooks = webhooks
    this.channels = new Presence({
      onJoin: (_, channel, __, isNew) => isNew && this.tell('channel_occupied', String(channel)),
      onLeave: (_, channel) => this.tell('channel_vacated', String(channel)),
    })
  }

  /** The first connection of this process has subscribed to a channel, or the last one has left it. */
  changed(channel: string, isOccupied: boolean) {
    if (!this.webhooks.isOn) return
    this.onChange(this.bus.processId, channel, isOccupied)
    void this.bus.publish(NO_CHANNEL, { kind: 'occupancy', channel, isOccupied })
  }

  /** A process has told of a change. */
  onChange(process: string, channel: string, isOccupied: boolean) {
    if (isOccupied) this.channels.join(process, ALL, channel, null)
    else this.channels.leave(process, ALL, channel)
  }

  /** The channels that this process has. */
  own(): string[] {
    return this.channels.usersOf(this.bus.processId).map(([, channel]) => String(channel))
  }

  /** Replaces the channels that a process has. */
  replace(process: string, channels: readonly string[]) {
    this.channels.replace(
      process,
      channels.map((channel) => [ALL, channel, null]),
    )
  }

  memberChanged(name: 'member_added' | 'member_removed', channel: string, user: UserId) {
    if (this.isFirst()) this.webhooks.add({ name, channel, user_id: String(user) })
  }

  private tell(name: 'channel_occupied' | 'channel_vacated', channel: string) {
    if (this.isFirst()) this.webhooks.add({ name, channel })
  }

  /** Ids of processes begin with the time of their start. */
  private isFirst() {
    return this.bus.otherProcesses().every((other) => other > this.bus.processId)
  }

  /** Tells at once who has left. */
  flush() {
    this.channels.flush()
  }
}

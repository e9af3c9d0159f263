import type { FastifyBaseLogger } from 'fastify'
import { type Audience, DeliveryQueue, hiddenFromAny } from '#core/realtime/audience.ts'
import type { Authorisation } from '#core/realtime/authorisation.ts'
import {
  type Bus,
  type ChannelSelector,
  type EventMessage,
  NO_CHANNEL,
  type SubscriptionCount,
} from '#core/realtime/bus.ts'
import { Channel } from '#core/realtime/channel.ts'
import type { Connection } from '#core/realtime/connection.ts'
import type { CountAnnouncer } from '#core/realtime/count-announcer.ts'
import { encodeEvent, encodeFrame, type PresenceUser } from '#core/realtime/frames.ts'
import type { Occupancy } from '#core/realtime/occupancy.ts'
import { Presence, type UserId } from '#core/realtime/presence.ts'
import { isUserChannel } from '#core/realtime/user-events.ts'

export const isPresence = (channel: string) => channel.startsWith('presence-')
export const isPublic = (channel: string) =>
  !isPresence(channel) && !channel.startsWith('private-') && !isUserChannel(channel)

interface ChannelsOptions {
  authorisation: Authorisation
  audience: Audience
  bus: Bus
  announcer: CountAnnouncer
  occupancy: Occupancy
  log: FastifyBaseLogger
  /** Runs where an event could not be delivered. */
  onMissed: () => void
}

/** The channels of this process: which connections are subscribed, who is there, and who hears an event. */
export class Channels {
  readonly presence: Presence
  /** How many events this process has delivered. */
  events = 0
  private readonly channels = new Map<string, Channel>()
  private readonly authorisation: Authorisation
  private readonly audience: Audience
  private readonly bus: Bus
  private readonly announcer: CountAnnouncer
  private readonly occupancy: Occupancy
  /** One queue for all channels, so that the events of each channel keep their order. */
  private readonly deliveries: DeliveryQueue

  constructor({ authorisation, audience, bus, announcer, occupancy, log, onMissed }: ChannelsOptions) {
    this.authorisation = authorisation
    this.audience = audience
    this.bus = bus
    this.announcer = announcer
    this.occupancy = occupancy
    this.deliveries = new DeliveryQueue((error) => {
      log.error({ err: error }, 'An event was not delivered')
      onMissed()
    })
    this.presence = new Presence({
      onJoin: (channel, user_id, user_info, isNew) => {
        if (isNew) occupancy.memberChanged('member_added', channel, user_id)
        this.membersChanged(channel, 'pusher_internal:member_added', { user_id, user_info })
      },
      onLeave: (channel, user_id) => {
        occupancy.memberChanged('member_removed', channel, user_id)
        this.membersChanged(channel, 'pusher_internal:member_removed', { user_id })
      },
    })
  }

  get size() {
    return this.channels.size
  }

  deliver({ channels, event, data, user_id, except, about, ...message }: EventMessage) {
    this.events++
    this.deliveries.run(hiddenFromAny(this.audience, about), (hidden) => {
      const json = encodeEvent(event, data, user_id)
      const isMasked = hidden && message.otherwise !== undefined
      const otherwise = isMasked ? encodeEvent(event, message.otherwise!) : undefined
      for (const name of channels) {
        const channel = this.channels.get(name)
        if (!channel) continue
        if (user_id === undefined) channel.events++
        channel.deliver(json, { except, hidden, otherwise })
      }
    })
  }

  get(name: string) {
    return this.channels.get(name)
  }

  /** How many connections of this process are subscribed to a channel. */
  connectionCount(name: string) {
    return this.channels.get(name)?.connections.size ?? 0
  }

  /** Counts the connections of this process. Channels without any are left out. */
  counts(selector: ChannelSelector): SubscriptionCount[] {
    const names =
      'names' in selector
        ? selector.names
        : [...this.channels.keys()].filter((name) => name.startsWith(selector.prefix) && !isUserChannel(name))
    return names.flatMap((name) => {
      const channel = this.channels.get(name)
      return channel ? [[name, channel.connections.size] as const] : []
    })
  }

  /** Adds a connection, and its user to a presence channel. */
  add(connection: Connection, name: string, user: PresenceUser | null, hidden: ReadonlySet<number> | null) {
    const channel = this.channels.get(name) ?? new Channel(name)
    this.channels.set(name, channel)
    if (user && channel.addUser(user.id)) {
      this.presence.join(this.bus.processId, name, user.id, user.info)
      void this.bus.publish(NO_CHANNEL, { kind: 'join', channel: name, user: user.id, info: user.info })
    }
    if (!channel.connections.size) this.occupancyChanged(name, true)
    channel.connections.add(connection)
    connection.subscriptions.set(name, { userId: user?.id ?? null, hidden })
    this.countChanged(name)
  }

  /** Removes a connection. Does nothing where it is not subscribed. */
  remove(connection: Connection, name: string) {
    const subscription = connection.subscriptions.get(name)
    const channel = this.channels.get(name)
    if (!subscription || !channel) return
    connection.subscriptions.delete(name)
    channel.connections.delete(connection)
    const { userId } = subscription
    if (userId !== null && channel.removeUser(userId)) {
      this.presence.leave(this.bus.processId, name, userId)
      void this.bus.publish(NO_CHANNEL, { kind: 'leave', channel: name, user: userId })
    }
    if (channel.connections.size) this.countChanged(name)
    else {
      this.channels.delete(name)
      this.occupancyChanged(name, false)
    }
  }

  /**
   * The subscribers of a channel are told how many they are. Not those of the app's own channels: the number
   * would say who is there to people who may not see them. Presence channels have a list.
   */
  private countChanged(name: string) {
    if (isPresence(name) || isUserChannel(name) || this.authorisation.isDeclared(name)) return
    this.announcer.changed(name, this.connectionCount(name))
  }

  private occupancyChanged(name: string, isOccupied: boolean) {
    if (!isUserChannel(name)) this.occupancy.changed(name, isOccupied)
  }

  // ── Presence ──────────────────────────────────────────────────────────────

  /** Whether the users of a presence channel are the app's own: only these channels have guards. */
  hasMembers(name: string) {
    return isPresence(name) && this.authorisation.guardOf(name) !== null
  }

  /** The frame that acknowledges a subscription, with the members of a presence channel. */
  acknowledgementOf(connection: Connection, name: string): Buffer {
    const { hidden } = connection.subscriptions.get(name)!
    if (hidden?.size) return this.encodeAcknowledgement(name, hidden)
    const channel = this.channels.get(name)!
    channel.acknowledgement ??= this.encodeAcknowledgement(name)
    return channel.acknowledgement
  }

  private encodeAcknowledgement(name: string, hidden?: ReadonlySet<number>) {
    const members = this.presence.membersOf(name).filter(({ id }) => !hidden?.has(Number(id)))
    const hash = Object.fromEntries(members.map(({ id, info }) => [id, info]))
    const presence = { ids: members.map(({ id }) => id), hash, count: members.length }
    const data = JSON.stringify(isPresence(name) ? { presence } : {})
    return encodeFrame(name, encodeEvent('pusher_internal:subscription_succeeded', data))
  }

  private membersChanged(name: string, event: string, data: { user_id: UserId; user_info?: unknown }) {
    const channel = this.channels.get(name)
    if (!channel) return
    channel.acknowledgement = null
    const frame = encodeEvent(event, JSON.stringify(data))
    const member = Number(data.user_id)
    if (!this.hasMembers(name) || !Number.isSafeInteger(member))
      return this.deliveries.run(null, () => channel.deliver(frame))
    this.deliveries.run(this.audience.hiddenFrom(member), (hidden) => {
      // The member may be subscribed by now, and is not told of themselves.
      channel.deliver(frame, { hidden: new Set([...(hidden ?? []), member]) })
    })
  }
}

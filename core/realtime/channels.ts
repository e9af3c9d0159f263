import type { FastifyBaseLogger } from 'fastify'
import type { Authorisation } from '#core/realtime/authorisation.ts'
import {
  type ChannelCount,
  type ChannelSelector,
  type DeliveryCounts,
  type EventMessage,
  GLOBAL_TOPIC,
  type ProcessBus,
  type TraceListener,
} from '#core/realtime/bus.ts'
import { LocalChannel } from '#core/realtime/channel.ts'
import type { Connection, Subscription } from '#core/realtime/connection.ts'
import type { CountAnnouncer } from '#core/realtime/count-announcer.ts'
import { encodeEvent, encodeFrame, type PresenceUser } from '#core/realtime/frames.ts'
import type { Occupancy } from '#core/realtime/occupancy.ts'
import { PresenceTracker, type PresenceUserId } from '#core/realtime/presence.ts'
import { LargeChannels } from '#core/realtime/presence-peers.ts'
import { isUserChannel } from '#core/realtime/user-events.ts'
import {
  combineExcluded,
  findExcluded,
  OrderedDeliveries,
  type VisibilityRules,
} from '#core/realtime/visibility.ts'

export const isPresenceChannel = (channel: string) => channel.startsWith('presence-')
export const isPublicChannel = (channel: string) =>
  !isPresenceChannel(channel) && !channel.startsWith('private-') && !isUserChannel(channel)

interface ChannelsOptions {
  authorisation: Authorisation
  visibility: VisibilityRules
  bus: ProcessBus
  announcer: CountAnnouncer
  occupancy: Occupancy
  log: FastifyBaseLogger
  /** A presence channel with more members is large (see `LargeChannels`). */
  maxCompleteMemberList: number
  onMissed: () => void
  /** Also called when it is small again. */
  onLargeChanged: (channel: string) => void
}

/** A subscriber sees all members except `hidden`, and only `peers` if that is not null. */
export type MemberView = Pick<Subscription, 'hidden' | 'peers'>

export class LocalChannels {
  readonly presence: PresenceTracker
  readonly large: LargeChannels
  /** Events received from the bus, also those of channels without subscribers here. */
  events = 0
  /** Null if no feature keeps traces. */
  onTracedDelivery: TraceListener | null = null
  private readonly channels = new Map<string, LocalChannel>()
  private readonly authorisation: Authorisation
  private readonly visibility: VisibilityRules
  private readonly bus: ProcessBus
  private readonly announcer: CountAnnouncer
  private readonly occupancy: Occupancy
  /** One queue for all channels, so that the events of each keep their order. */
  private readonly deliveries: OrderedDeliveries
  private readonly onLargeChanged: (channel: string) => void

  constructor(options: ChannelsOptions) {
    const { authorisation, visibility, bus, announcer, occupancy, log, onMissed } = options
    this.authorisation = authorisation
    this.visibility = visibility
    this.bus = bus
    this.announcer = announcer
    this.occupancy = occupancy
    this.onLargeChanged = options.onLargeChanged
    this.large = new LargeChannels(options.maxCompleteMemberList, authorisation.showsOnlyPeersWhenLarge)
    this.deliveries = new OrderedDeliveries((error) => {
      log.error({ err: error }, 'An event was not delivered')
      onMissed()
    })
    this.presence = new PresenceTracker({
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

  deliver({
    channels,
    event,
    data,
    user_id,
    except,
    aboutUsers,
    unlessMuted,
    inGroup,
    onlyFor,
    isClientEvent,
    trace,
    ...message
  }: EventMessage) {
    this.events++
    // Reads no viewers if nobody here is subscribed. A subscriber added while this waits must not get the
    // event, because nobody would have asked whether they may.
    const heard = channels.filter((name) => this.channels.has(name))
    const excludedViewers = heard.length
      ? findExcluded(this.visibility, { aboutUsers, unlessMuted, inGroup })
      : null
    this.deliveries.run(excludedViewers, (excluded) => {
      const hidden = combineExcluded(onlyFor, excluded)
      const json = encodeEvent(event, data, user_id)
      const isMasked = hidden && message.fallbackData !== undefined
      const fallback = isMasked ? encodeEvent(event, message.fallbackData!) : undefined
      const written: DeliveryCounts | null =
        trace && this.onTracedDelivery ? { channels: [], counts: [] } : null
      for (const name of heard) {
        const channel = this.channels.get(name)
        if (!channel) continue
        if (!isClientEvent) channel.serverEvents++
        const count = channel.deliver(json, { except, hidden, fallback })
        if (!written || !count) continue
        written.channels.push(name)
        written.counts.push(count)
      }
      if (written) this.onTracedDelivery!(trace!, written)
    })
  }

  get(name: string) {
    return this.channels.get(name)
  }

  connectionCount(name: string) {
    return this.channels.get(name)?.connections.size ?? 0
  }

  /** Leaves out channels without connections. A prefix does not select channels of single users. */
  counts(selector: ChannelSelector): ChannelCount[] {
    const names =
      'names' in selector
        ? selector.names
        : [...this.channels.keys()].filter((name) => name.startsWith(selector.prefix) && !isUserChannel(name))
    return names.flatMap((name) => {
      const channel = this.channels.get(name)
      return channel ? [[name, channel.connections.size] as const] : []
    })
  }

  /** In a presence channel, `user` becomes a member, and `view` are the members whom the user sees. */
  add(connection: Connection, name: string, user: PresenceUser | null, view: MemberView) {
    const channel = this.channels.get(name) ?? new LocalChannel(name)
    this.channels.set(name, channel)
    if (user && channel.addUser(user.id)) {
      this.presence.join(this.bus.processId, name, user.id, user.info)
      void this.bus.publish(GLOBAL_TOPIC, {
        kind: 'join',
        channel: name,
        user: user.id,
        info: user.info,
      })
    }
    if (!channel.connections.size) this.occupancyChanged(name, true)
    channel.connections.add(connection)
    connection.subscriptions.set(name, { userId: user?.id ?? null, ...view })
    if (view.peers) channel.watch(connection, view.peers)
    this.countChanged(name)
  }

  setMemberView(connection: Connection, name: string, view: MemberView) {
    const subscription = connection.subscriptions.get(name)!
    const channel = this.channels.get(name)!
    channel.unwatch(connection, subscription.peers ?? [])
    channel.watch(connection, view.peers ?? [])
    Object.assign(subscription, view)
  }

  /** Does nothing if the connection is not subscribed. */
  remove(connection: Connection, name: string) {
    const subscription = connection.subscriptions.get(name)
    const channel = this.channels.get(name)
    if (!subscription || !channel) return
    connection.subscriptions.delete(name)
    channel.connections.delete(connection)
    const { userId, peers } = subscription
    if (peers) channel.unwatch(connection, peers)
    if (userId !== null && channel.removeUser(userId)) {
      this.presence.leave(this.bus.processId, name, userId)
      void this.bus.publish(GLOBAL_TOPIC, { kind: 'leave', channel: name, user: userId })
    }
    if (channel.connections.size) this.countChanged(name)
    else {
      this.channels.delete(name)
      this.occupancyChanged(name, false)
    }
  }

  /**
   * Leaves out channels that a feature declared, because the number would show presence to people who may not
   * see it; presence channels, which have a member list; and channels of single users.
   */
  private countChanged(name: string) {
    if (isPresenceChannel(name) || isUserChannel(name) || this.authorisation.isDeclared(name)) return
    this.announcer.changed(name, this.connectionCount(name))
  }

  private occupancyChanged(name: string, isOccupied: boolean) {
    if (!isUserChannel(name)) this.occupancy.changed(name, isOccupied)
  }

  /** A guard admits only members. Without one, another server signs, and its user ids are no member ids. */
  hasMembers(name: string) {
    return isPresenceChannel(name) && this.authorisation.guardOf(name) !== null
  }

  /** A presence channel adds the members whom the user may see. */
  acknowledgementOf(connection: Connection, name: string): Buffer {
    const { hidden, peers, userId } = connection.subscriptions.get(name)!
    if (this.large.has(name)) {
      const users = userId === null ? (peers ?? []) : [userId, ...(peers ?? [])]
      return this.encodeAcknowledgement(name, this.presence.findMembers(name, users), hidden)
    }
    if (hidden?.size) return this.encodeAcknowledgement(name, this.presence.membersOf(name), hidden)
    const channel = this.channels.get(name)!
    channel.acknowledgement ??= this.encodeAcknowledgement(name, this.presence.membersOf(name), null)
    return channel.acknowledgement
  }

  private encodeAcknowledgement(
    name: string,
    all: ReturnType<PresenceTracker['membersOf']>,
    hidden: ReadonlySet<number> | null,
  ) {
    const members = hidden?.size ? all.filter(({ id }) => !hidden.has(Number(id))) : all
    const hash = Object.fromEntries(members.map(({ id, info }) => [id, info]))
    const presence = { ids: members.map(({ id }) => id), hash, count: members.length }
    const data = JSON.stringify(isPresenceChannel(name) ? { presence } : {})
    return encodeFrame(name, encodeEvent('pusher_internal:subscription_succeeded', data))
  }

  private membersChanged(
    name: string,
    event: string,
    data: { user_id: PresenceUserId; user_info?: unknown },
  ) {
    const wasLarge = this.large.has(name)
    if (this.large.update(name, this.presence.count(name))) this.onLargeChanged(name)
    const channel = this.channels.get(name)
    if (!channel) return
    channel.acknowledgement = null
    const member = Number(data.user_id)
    // The channel counts as large if it was or is now. On a change, subscribers also get a new list of
    // members.
    const isLarge = wasLarge || this.large.has(name)
    const viewers = isLarge ? channel.watchersOf(member) : channel.connections
    if (!viewers.size) return
    const frame = encodeEvent(event, JSON.stringify(data))
    if (!this.hasMembers(name) || !Number.isSafeInteger(member))
      return this.deliveries.run(null, () => channel.deliver(frame))
    this.deliveries.run(this.visibility.hiddenFrom(member), (hidden) => {
      // Not to the member, whose own connection may have been added while this delivery waited.
      channel.deliver(frame, { hidden: new Set([...(hidden ?? []), member]) }, viewers)
    })
  }
}

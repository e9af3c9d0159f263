import type { FastifyBaseLogger } from 'fastify'
import type { ChannelGuardRegistryAndSigner } from '#core/realtime/authorisation.ts'
import {
  type ChannelEventBusMessage,
  type ChannelNamesOrPrefix,
  type ChannelSubscriptionCount,
  type ChannelsAndEventDeliveryCounts,
  GLOBAL_PROCESS_BUS_TOPIC,
  type ProcessBus,
  type TracedDeliveryListener,
} from '#core/realtime/bus.ts'
import { LocalChannel } from '#core/realtime/channel.ts'
import type { ChannelSubscriptionPresenceData, WebSocketConnection } from '#core/realtime/connection.ts'
import type { ChannelSubscriberCountAnnouncer } from '#core/realtime/count-announcer.ts'
import {
  encodeEventWithoutChannel,
  encodeWebSocketFrameWithChannel,
  type PresenceUser,
} from '#core/realtime/frames.ts'
import type { ChannelAndPresenceWebhooks } from '#core/realtime/occupancy.ts'
import { PresenceTracker, type PresenceUserId } from '#core/realtime/presence.ts'
import { LargePresenceChannels } from '#core/realtime/presence-peers.ts'
import { isUserChannel } from '#core/realtime/user-events.ts'
import {
  combineExcludedEventViewers,
  findViewersExcludedFromEvent,
  OrderedEventDeliveries,
  type RealtimeVisibilityRules,
} from '#core/realtime/visibility.ts'

export const isPresenceChannel = (channel: string) => channel.startsWith('presence-')
export const isPublicChannel = (channel: string) =>
  !isPresenceChannel(channel) && !channel.startsWith('private-') && !isUserChannel(channel)

interface ChannelsOptions {
  authorisation: ChannelGuardRegistryAndSigner
  visibility: RealtimeVisibilityRules
  bus: ProcessBus
  announcer: ChannelSubscriberCountAnnouncer
  occupancy: ChannelAndPresenceWebhooks
  log: FastifyBaseLogger
  /**
   * The maximum number of members of a presence channel that does not count as large yet (see
   * `LargePresenceChannels`).
   */
  maxCompleteMemberList: number
  /** Called when an event could not be delivered. */
  onMissed: () => void
  /** Called when a presence channel has become large, or small again. */
  onLargeChanged: (channel: string) => void
}

/**
 * Which members of a presence channel a subscriber sees: all except `hidden`, and only `peers` if that is not
 * null.
 */
export type PresenceVisibilityLimits = Pick<ChannelSubscriptionPresenceData, 'hidden' | 'peers'>

/** The channels of this process: their subscribers, their presence members, and the delivery of events. */
export class LocalChannels {
  readonly presence: PresenceTracker
  /** The presence channels whose subscribers see only their peers. */
  readonly large: LargePresenceChannels
  /**
   * How many events this process has received from the bus for delivery, including events of channels that
   * have no subscribers here.
   */
  events = 0
  /** Called after the delivery of an event with a trace; null if no feature keeps traces. */
  onTracedDelivery: TracedDeliveryListener | null = null
  private readonly channels = new Map<string, LocalChannel>()
  private readonly authorisation: ChannelGuardRegistryAndSigner
  private readonly visibility: RealtimeVisibilityRules
  private readonly bus: ProcessBus
  private readonly announcer: ChannelSubscriberCountAnnouncer
  private readonly occupancy: ChannelAndPresenceWebhooks
  /** The queue of the deliveries of all channels, so that the events of each channel keep their order. */
  private readonly deliveries: OrderedEventDeliveries
  private readonly onLargeChanged: (channel: string) => void

  constructor(options: ChannelsOptions) {
    const { authorisation, visibility, bus, announcer, occupancy, log, onMissed } = options
    this.authorisation = authorisation
    this.visibility = visibility
    this.bus = bus
    this.announcer = announcer
    this.occupancy = occupancy
    this.onLargeChanged = options.onLargeChanged
    this.large = new LargePresenceChannels(
      options.maxCompleteMemberList,
      authorisation.showsOnlyPeersWhenLarge,
    )
    this.deliveries = new OrderedEventDeliveries((error) => {
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
  }: ChannelEventBusMessage) {
    this.events++
    // Reads no viewers if nobody here is subscribed. A subscriber who is added while this delivery waits must
    // not get the event then, because nobody would have asked whether the subscriber may.
    const heard = channels.filter((name) => this.channels.has(name))
    const excludedViewers = heard.length
      ? findViewersExcludedFromEvent(this.visibility, { aboutUsers, unlessMuted, inGroup })
      : null
    this.deliveries.run(excludedViewers, (excluded) => {
      const hidden = combineExcludedEventViewers(onlyFor, excluded)
      const json = encodeEventWithoutChannel(event, data, user_id)
      const isMasked = hidden && message.fallbackData !== undefined
      const fallback = isMasked ? encodeEventWithoutChannel(event, message.fallbackData!) : undefined
      const written: ChannelsAndEventDeliveryCounts | null =
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

  /** Returns how many connections of this process are subscribed to a channel. */
  connectionCount(name: string) {
    return this.channels.get(name)?.connections.size ?? 0
  }

  /**
   * Counts, for each selected channel, the connections of this process that are subscribed to it. Leaves
   * out channels without connections. A prefix does not select the channels of single users
   * (`toUserChannelName`).
   */
  counts(selector: ChannelNamesOrPrefix): ChannelSubscriptionCount[] {
    const names =
      'names' in selector
        ? selector.names
        : [...this.channels.keys()].filter((name) => name.startsWith(selector.prefix) && !isUserChannel(name))
    return names.flatMap((name) => {
      const channel = this.channels.get(name)
      return channel ? [[name, channel.connections.size] as const] : []
    })
  }

  /**
   * Subscribes a connection to a channel. In a presence channel, `user` becomes a member of the channel, and
   * `view` are the members whom the user sees.
   */
  add(
    connection: WebSocketConnection,
    name: string,
    user: PresenceUser | null,
    view: PresenceVisibilityLimits,
  ) {
    const channel = this.channels.get(name) ?? new LocalChannel(name)
    this.channels.set(name, channel)
    if (user && channel.addUser(user.id)) {
      this.presence.join(this.bus.processId, name, user.id, user.info)
      void this.bus.publish(GLOBAL_PROCESS_BUS_TOPIC, {
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

  /** Changes the members whom a subscriber of a presence channel sees. */
  setMemberView(connection: WebSocketConnection, name: string, view: PresenceVisibilityLimits) {
    const subscription = connection.subscriptions.get(name)!
    const channel = this.channels.get(name)!
    channel.unwatch(connection, subscription.peers ?? [])
    channel.watch(connection, view.peers ?? [])
    Object.assign(subscription, view)
  }

  /**
   * Ends a connection's subscription to a channel. Does nothing if the connection is not subscribed to it.
   */
  remove(connection: WebSocketConnection, name: string) {
    const subscription = connection.subscriptions.get(name)
    const channel = this.channels.get(name)
    if (!subscription || !channel) return
    connection.subscriptions.delete(name)
    channel.connections.delete(connection)
    const { userId, peers } = subscription
    if (peers) channel.unwatch(connection, peers)
    if (userId !== null && channel.removeUser(userId)) {
      this.presence.leave(this.bus.processId, name, userId)
      void this.bus.publish(GLOBAL_PROCESS_BUS_TOPIC, { kind: 'leave', channel: name, user: userId })
    }
    if (channel.connections.size) this.countChanged(name)
    else {
      this.channels.delete(name)
      this.occupancyChanged(name, false)
    }
  }

  /**
   * Announces the number of subscribers to the subscribers of a channel. Channels that a feature has
   * declared are left out, because the number would show presence to people who may not see it. Presence
   * channels are left out because they have a member list, and the channels of single users
   * (`toUserChannelName`) too.
   */
  private countChanged(name: string) {
    if (isPresenceChannel(name) || isUserChannel(name) || this.authorisation.isDeclared(name)) return
    this.announcer.changed(name, this.connectionCount(name))
  }

  private occupancyChanged(name: string, isOccupied: boolean) {
    if (!isUserChannel(name)) this.occupancy.changed(name, isOccupied)
  }

  // ── The members of presence channels ──────────────────────────────────────

  /**
   * Whether the users of a presence channel are members of this community. They are if a feature has declared
   * a guard for the channel, because a guard admits only members. The users of other presence channels are
   * signed by another server, and their ids are no ids of members.
   */
  hasMembers(name: string) {
    return isPresenceChannel(name) && this.authorisation.guardOf(name) !== null
  }

  /**
   * Returns the frame that acknowledges a subscription. For a presence channel it contains the members whom
   * the connection's user may see.
   */
  acknowledgementOf(connection: WebSocketConnection, name: string): Buffer {
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
    return encodeWebSocketFrameWithChannel(
      name,
      encodeEventWithoutChannel('pusher_internal:subscription_succeeded', data),
    )
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
    // Treats the channel as large if it was large before, or is now. If this change makes the channel large,
    // or small again, the subscribers also get a new list of members.
    const isLarge = wasLarge || this.large.has(name)
    const viewers = isLarge ? channel.watchersOf(member) : channel.connections
    if (!viewers.size) return
    const frame = encodeEventWithoutChannel(event, JSON.stringify(data))
    if (!this.hasMembers(name) || !Number.isSafeInteger(member))
      return this.deliveries.run(null, () => channel.deliver(frame))
    this.deliveries.run(this.visibility.hiddenFrom(member), (hidden) => {
      // Sends the event to all viewers who may see the member, but not to the member: the member's own
      // connection may have been added to the channel while this delivery waited.
      channel.deliver(frame, { hidden: new Set([...(hidden ?? []), member]) }, viewers)
    })
  }
}

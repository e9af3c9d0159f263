import type { FastifyBaseLogger } from 'fastify'
import { type Audience, DeliveryQueue, hiddenFromAny } from '#core/realtime/audience.ts'
import type { Authorisation } from '#core/realtime/authorisation.ts'
import type { Budgets } from '#core/realtime/budgets.ts'
import {
  type Bus,
  type ChannelSelector,
  type EventMessage,
  NO_CHANNEL,
  type Revocation,
  type SubscriptionCount,
} from '#core/realtime/bus.ts'
import { Channel } from '#core/realtime/channel.ts'
import type { Connection, ConnectionUser } from '#core/realtime/connection.ts'
import type { Connections } from '#core/realtime/connections.ts'
import { encodeEvent, encodeFrame, type PresenceUser, parseChannelData } from '#core/realtime/frames.ts'
import { Presence, type UserId } from '#core/realtime/presence.ts'

const NAME = /^[\w\-=@,.;]{1,200}$/
const CHANNELS_PER_CONNECTION = 200

export const isPresence = (channel: string) => channel.startsWith('presence-')
export const isPublic = (channel: string) => !isPresence(channel) && !channel.startsWith('private-')

interface ChannelsOptions {
  connections: Connections
  budgets: Budgets
  authorisation: Authorisation
  audience: Audience
  bus: Bus
  log: FastifyBaseLogger
  /** Runs where an event could not be delivered. */
  onMissed: () => void
}

/** The channels of this process: who subscribes, who may, and who hears an event. */
export class Channels {
  readonly presence: Presence
  private readonly channels = new Map<string, Channel>()
  private readonly connections: Connections
  private readonly budgets: Budgets
  private readonly authorisation: Authorisation
  private readonly audience: Audience
  private readonly bus: Bus
  private readonly log: FastifyBaseLogger
  /** One queue for all channels, so that the events of each channel keep their order. */
  private readonly deliveries: DeliveryQueue

  constructor({ connections, budgets, authorisation, audience, bus, log, onMissed }: ChannelsOptions) {
    this.connections = connections
    this.budgets = budgets
    this.authorisation = authorisation
    this.audience = audience
    this.bus = bus
    this.log = log
    this.deliveries = new DeliveryQueue((error) => {
      log.error({ err: error }, 'An event was not delivered')
      onMissed()
    })
    this.presence = new Presence({
      onJoin: (channel, user_id, user_info) =>
        this.membersChanged(channel, 'pusher_internal:member_added', { user_id, user_info }),
      onLeave: (channel, user_id) =>
        this.membersChanged(channel, 'pusher_internal:member_removed', { user_id }),
    })
  }

  get size() {
    return this.channels.size
  }

  deliver({ channels, event, data, user_id, except, about, ...message }: EventMessage) {
    this.deliveries.run(hiddenFromAny(this.audience, about), (hidden) => {
      const json = encodeEvent(event, data, user_id)
      const isMasked = hidden && message.otherwise !== undefined
      const otherwise = isMasked ? encodeEvent(event, message.otherwise!) : undefined
      for (const name of channels) this.channels.get(name)?.deliver(json, { except, hidden, otherwise })
    })
  }

  /** The connections of this process that are subscribed to a channel. */
  connectionCount(name: string) {
    return this.channels.get(name)?.connections.size ?? 0
  }

  /** Counts the connections of this process. Channels without any are left out. */
  counts(selector: ChannelSelector): SubscriptionCount[] {
    const names =
      'names' in selector
        ? selector.names
        : [...this.channels.keys()].filter((name) => name.startsWith(selector.prefix))
    return names.flatMap((name) => {
      const channel = this.channels.get(name)
      return channel ? [[name, channel.connections.size] as const] : []
    })
  }

  // ── Subscribing ───────────────────────────────────────────────────────────

  async subscribe(connection: Connection, name: string, auth: string, channelData: string) {
    if (!NAME.test(name)) return connection.sendError(4200, 'Invalid channel name')
    const { subscriptions, pending } = connection
    if (!this.budgets.spend('subscriptions', connection))
      return refuse(connection, name, 429, 'Too many subscriptions')
    if (subscriptions.has(name)) return this.answer(connection, name)
    if (subscriptions.size + pending.size >= CHANNELS_PER_CONNECTION)
      return refuse(connection, name, 429, 'Too many channels')
    if (isPublic(name)) return this.add(connection, name, null, null)
    if (isPresence(name)) return this.subscribePresence(connection, name, auth, channelData)
    const signed = channelData ? [connection.id, name, channelData] : [connection.id, name]
    if (!this.authorisation.isSigned(auth, ...signed))
      return refuse(connection, name, 401, 'Invalid signature')
    return this.addIfAllowed(connection, name, null)
  }

  private async subscribePresence(connection: Connection, name: string, auth: string, channelData: string) {
    if (!this.authorisation.isSigned(auth, connection.id, name, channelData))
      return refuse(connection, name, 401, 'Invalid signature')
    const user = parseChannelData(channelData)
    if (!user) return refuse(connection, name, 401, 'Invalid channel data')
    const isOwn = !connection.user || String(user.id) === String(connection.user.id)
    if (!isOwn && this.authorisation.guardOf(name))
      return refuse(connection, name, 401, 'Somebody else’s channel data')
    return this.addIfAllowed(connection, name, user)
  }

  private async addIfAllowed(connection: Connection, name: string, user: PresenceUser | null) {
    const request = Symbol(name)
    connection.pending.set(name, request)
    const answer = await this.ask(connection, name).catch((error: unknown) => {
      this.log.error({ err: error }, 'A guard failed')
      return null
    })
    // The client has unsubscribed meanwhile, lost the right, or gone.
    if (connection.pending.get(name) !== request) return
    connection.pending.delete(name)
    if (answer === null) return refuse(connection, name, 503, 'Try again')
    if (!answer.isAllowed) return refuse(connection, name, 403, 'Forbidden')
    this.add(connection, name, user, answer.hidden)
  }

  /** Asks whether the user may subscribe, and which members of a presence channel they may not see. */
  private async ask(connection: Connection, name: string) {
    const [isAllowed, hidden] = await Promise.all([
      this.authorisation.isAllowed(connection.user, name),
      this.hasMembers(name) ? this.audience.hiddenTo(connection.viewer) : null,
    ])
    return { isAllowed, hidden }
  }

  /** Whether the users of a presence channel are the app's own: only these channels have guards. */
  private hasMembers(name: string) {
    return isPresence(name) && this.authorisation.guardOf(name) !== null
  }

  private add(
    connection: Connection,
    name: string,
    user: PresenceUser | null,
    hidden: ReadonlySet<number> | null,
  ) {
    const channel = this.channels.get(name) ?? new Channel(name)
    this.channels.set(name, channel)
    if (user && channel.addUser(user.id)) {
      this.presence.join(this.bus.processId, name, user.id, user.info)
      void this.bus.publish(NO_CHANNEL, { kind: 'join', channel: name, user: user.id, info: user.info })
    }
    channel.connections.add(connection)
    connection.subscriptions.set(name, { userId: user?.id ?? null, hidden })
    this.answer(connection, name)
  }

  /** Acknowledges a subscription that the client asked for, or ends it where the client has asked for too much. */
  private answer(connection: Connection, name: string) {
    const frame = this.acknowledgementOf(connection, name)
    if (!isPresence(name) || this.budgets.spend('lists', connection, frame.length))
      return connection.enqueue(frame)
    this.unsubscribe(connection, name)
    refuse(connection, name, 429, 'Too many subscriptions')
  }

  private acknowledgementOf(connection: Connection, name: string): Buffer {
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

  // ── Unsubscribing ─────────────────────────────────────────────────────────

  unsubscribe(connection: Connection, name: string) {
    connection.pending.delete(name)
    this.remove(connection, name)
  }

  unsubscribeAll(connection: Connection) {
    connection.pending.clear()
    for (const name of [...connection.subscriptions.keys()]) this.remove(connection, name)
  }

  private remove(connection: Connection, name: string) {
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
    if (!channel.connections.size) this.channels.delete(name)
  }

  // ── Rights that change ────────────────────────────────────────────────────

  /** From now on the connection belongs to the user. Subscriptions of another user end. */
  bind(connectionId: string, user: ConnectionUser) {
    const connection = this.connections.get(connectionId)
    if (!connection) return
    const { user: before, subscriptions } = connection
    this.connections.setUser(connection, user)
    const count = this.connections.ofUser(user.id).length
    if (before?.id !== user.id && !this.budgets.allowsConnections(count))
      return connection.close(4100, 'Too many connections')
    // The guards of subscriptions from before were not asked, since nobody knew the user.
    if (!before && ![...subscriptions.keys()].every(isPublic)) void this.recheck(user.id)
    if (before && before.id !== user.id)
      for (const name of requestedBy(connection)) if (!isPublic(name)) this.end(connection, name, 401)
  }

  revoke({ channel, member, session }: Revocation) {
    if (channel === undefined && member === undefined && session === undefined) return
    const connections = member === undefined ? this.connections.all() : this.connections.ofUser(member)
    for (const connection of connections) {
      if (session !== undefined && connection.user?.session !== session) continue
      if (channel === undefined) connection.close(4009, 'Connection is unauthorized')
      else this.end(connection, channel, 403)
    }
  }

  /**
   * Asks the guards again. A subscription whose guard fails ends as well; the client may try again. A presence
   * channel tells its members again, since the user may see others now.
   */
  async recheck(userId: number) {
    for (const connection of this.connections.ofUser(userId)) {
      for (const name of requestedBy(connection)) {
        const answer = await this.ask(connection, name).catch(() => null)
        if (answer?.isAllowed) this.setHidden(connection, name, answer.hidden)
        else this.end(connection, name, 403)
      }
    }
  }

  private setHidden(connection: Connection, name: string, hidden: ReadonlySet<number> | null) {
    const subscription = connection.subscriptions.get(name)
    if (!subscription || (!hidden?.size && !subscription.hidden?.size)) return
    subscription.hidden = hidden
    connection.enqueue(this.acknowledgementOf(connection, name))
  }

  private end(connection: Connection, name: string, status: number) {
    if (!connection.pending.has(name) && !connection.subscriptions.has(name)) return
    this.unsubscribe(connection, name)
    refuse(connection, name, status, 'No longer allowed')
  }
}

const requestedBy = ({ subscriptions, pending }: Connection) => [...subscriptions.keys(), ...pending.keys()]

function refuse(connection: Connection, channel: string, status: number, error: string) {
  const type = status === 429 ? 'LimitReached' : 'AuthError'
  connection.send('pusher:subscription_error', { type, error, status }, channel)
}

import type { FastifyBaseLogger } from 'fastify'
import type { Audience } from '#core/realtime/audience.ts'
import type { Authorisation } from '#core/realtime/authorisation.ts'
import type { Budgets } from '#core/realtime/budgets.ts'
import type { Revocation } from '#core/realtime/bus.ts'
import { type EventCache, isCacheChannel } from '#core/realtime/cache-channels.ts'
import { type Channels, isPresence, isPublic } from '#core/realtime/channels.ts'
import type { Connection, ConnectionUser } from '#core/realtime/connection.ts'
import type { Connections } from '#core/realtime/connections.ts'
import { encodeEvent, encodeFrame, type PresenceUser, parseChannelData } from '#core/realtime/frames.ts'
import { isUserChannel, signIn, userChannel } from '#core/realtime/user-events.ts'
import type { Webhooks } from '#core/realtime/webhooks.ts'

const NAME = /^[\w\-=@,.;]{1,200}$/
const CHANNELS_PER_CONNECTION = 200

interface SubscriptionsOptions {
  channels: Channels
  connections: Connections
  budgets: Budgets
  authorisation: Authorisation
  audience: Audience
  /** The last events of cache channels. */
  cache: EventCache
  webhooks: Webhooks
  log: FastifyBaseLogger
}

/**
 * Subscribes connections to channels: checks signatures and limits, and asks guards. Ends subscriptions that
 * are no longer allowed.
 */
export class Subscriptions {
  private readonly channels: Channels
  private readonly connections: Connections
  private readonly budgets: Budgets
  private readonly authorisation: Authorisation
  private readonly audience: Audience
  private readonly cache: EventCache
  private readonly webhooks: Webhooks
  private readonly log: FastifyBaseLogger

  constructor(options: SubscriptionsOptions) {
    this.channels = options.channels
    this.connections = options.connections
    this.budgets = options.budgets
    this.authorisation = options.authorisation
    this.audience = options.audience
    this.cache = options.cache
    this.webhooks = options.webhooks
    this.log = options.log
  }

  async subscribe(connection: Connection, name: string, auth: string, channelData: string) {
    if (isUserChannel(name)) return this.subscribeToUser(connection, name)
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

  /** Signs a user in on a connection. */
  signIn(connection: Connection, auth: string, userData: string) {
    signIn(connection, auth, userData, this.authorisation)
  }

  private subscribeToUser(connection: Connection, name: string) {
    const user = connection.signedInAs
    if (user === null || name !== userChannel(user)) return refuse(connection, name, 401, 'Sign in first')
    if (connection.subscriptions.has(name)) return this.answer(connection, name)
    this.add(connection, name, null, null)
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
      this.channels.hasMembers(name) ? this.audience.hiddenTo(connection.viewer) : null,
    ])
    return { isAllowed, hidden }
  }

  private add(
    connection: Connection,
    name: string,
    user: PresenceUser | null,
    hidden: ReadonlySet<number> | null,
  ) {
    this.channels.add(connection, name, user, hidden)
    if (this.answer(connection, name) && isCacheChannel(name)) void this.sendCached(connection, name)
  }

  /** Sends the last event of a cache channel, unless a later one was delivered meanwhile. */
  private async sendCached(connection: Connection, name: string) {
    const channel = this.channels.get(name)
    const before = channel?.events
    const cached = await this.cache.get(name).catch((error: unknown) => {
      this.log.warn({ err: error }, 'The last event of a channel could not be read')
      return null
    })
    if (!connection.subscriptions.has(name) || channel?.events !== before) return
    if (cached) return connection.enqueue(encodeFrame(name, encodeEvent(cached.event, cached.data)))
    connection.send('pusher:cache_miss', {}, name)
    this.webhooks.add({ name: 'cache_miss', channel: name })
  }

  /**
   * Acknowledges a subscription that the client asked for, or ends it where the client has asked for too
   * much: then it returns false.
   */
  private answer(connection: Connection, name: string) {
    const frame = this.channels.acknowledgementOf(connection, name)
    if (!isPresence(name) || this.budgets.spend('lists', connection, frame.length)) {
      connection.enqueue(frame)
      return true
    }
    this.unsubscribe(connection, name)
    refuse(connection, name, 429, 'Too many subscriptions')
    return false
  }

  unsubscribe(connection: Connection, name: string) {
    connection.pending.delete(name)
    this.channels.remove(connection, name)
  }

  unsubscribeAll(connection: Connection) {
    connection.pending.clear()
    for (const name of [...connection.subscriptions.keys()]) this.channels.remove(connection, name)
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
    if (before && before.id !== user.id) {
      connection.signedInAs = null
      for (const name of requestedBy(connection)) if (!isPublic(name)) this.end(connection, name, 401)
    }
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
   * Asks the guards again. A subscription whose guard fails ends as well; the client may try again. A
   * presence channel tells its members again, since the user may see others now.
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
    connection.enqueue(this.channels.acknowledgementOf(connection, name))
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

import type { FastifyBaseLogger } from 'fastify'
import type { Authorisation } from '#core/realtime/authorisation.ts'
import type { Revocation } from '#core/realtime/bus.ts'
import { isCacheChannel } from '#core/realtime/cache-channels.ts'
import type { SendCached } from '#core/realtime/cached-event-sender.ts'
import {
  isPresenceChannel,
  isPublicChannel,
  type LocalChannels,
  type MemberView,
} from '#core/realtime/channels.ts'
import { type Connection, type ConnectionUser, listRequested } from '#core/realtime/connection.ts'
import type { Connections } from '#core/realtime/connections.ts'
import { type PresenceUser, parseChannelData } from '#core/realtime/frames.ts'
import type { TokenBuckets } from '#core/realtime/token-buckets.ts'
import { isUserChannel, signInConnection, userChannel } from '#core/realtime/user-events.ts'
import type { VisibilityRules } from '#core/realtime/visibility.ts'

const NAME = /^[\w\-=@,.;]{1,200}$/
const CHANNELS_PER_CONNECTION = 200

interface SubscriptionsOptions {
  channels: LocalChannels
  connections: Connections
  tokenBuckets: TokenBuckets
  authorisation: Authorisation
  visibility: VisibilityRules
  sendCachedEvent: SendCached
  log: FastifyBaseLogger
}

export class Subscriptions {
  private readonly channels: LocalChannels
  private readonly connections: Connections
  private readonly tokenBuckets: TokenBuckets
  private readonly authorisation: Authorisation
  private readonly visibility: VisibilityRules
  private readonly sendCachedEvent: SendCached
  private readonly log: FastifyBaseLogger
  private isMembersOnly = false

  constructor(options: SubscriptionsOptions) {
    this.channels = options.channels
    this.connections = options.connections
    this.tokenBuckets = options.tokenBuckets
    this.authorisation = options.authorisation
    this.visibility = options.visibility
    this.sendCachedEvent = options.sendCachedEvent
    this.log = options.log
  }

  async subscribe(connection: Connection, name: string, auth: string, channelData: string) {
    if (isUserChannel(name)) return this.subscribeToUser(connection, name)
    if (!NAME.test(name)) return connection.sendError(4200, 'Invalid channel name')
    const { subscriptions, pending, waiting } = connection
    if (!this.tokenBuckets.consume('subscriptions', connection))
      return connection.refuse(name, 429, 'Too many subscriptions')
    if (subscriptions.has(name)) return this.answer(connection, name)
    if (subscriptions.size + pending.size + waiting.size >= CHANNELS_PER_CONNECTION)
      return connection.refuse(name, 429, 'Too many channels')
    if (isPublicChannel(name)) return this.addPublic(connection, name)
    if (isPresenceChannel(name)) return this.subscribePresence(connection, name, auth, channelData)
    const signed = channelData ? [connection.id, name, channelData] : [connection.id, name]
    if (!this.authorisation.isSigned(auth, ...signed))
      return connection.refuse(name, 401, 'Invalid signature')
    return this.addIfAllowed(connection, name, null)
  }

  /** In a members-only community, waits until the connection is bound to a member. Asks a guard first. */
  private addPublic(connection: Connection, name: string) {
    if (this.isMembersOnly && !connection.user) return void connection.waiting.add(name)
    if (connection.user && this.authorisation.guardOf(name)) return this.addIfAllowed(connection, name, null)
    this.add(connection, name, null, noMembers)
  }

  private addWaiting(connection: Connection) {
    const names = [...connection.waiting]
    connection.waiting.clear()
    for (const name of names) void this.addPublic(connection, name)
  }

  signIn(connection: Connection, auth: string, userData: string) {
    signInConnection(connection, auth, userData, this.authorisation)
  }

  private subscribeToUser(connection: Connection, name: string) {
    const user = connection.signedInAs
    if (user === null || name !== userChannel(user)) return connection.refuse(name, 401, 'Sign in first')
    if (connection.subscriptions.has(name)) return this.answer(connection, name)
    this.add(connection, name, null, noMembers)
  }

  private async subscribePresence(connection: Connection, name: string, auth: string, channelData: string) {
    if (!this.authorisation.isSigned(auth, connection.id, name, channelData))
      return connection.refuse(name, 401, 'Invalid signature')
    const user = parseChannelData(channelData)
    if (!user) return connection.refuse(name, 401, 'Invalid channel data')
    const isOwn = !connection.user || String(user.id) === String(connection.user.id)
    if (!isOwn && this.authorisation.guardOf(name))
      return connection.refuse(name, 401, 'Somebody else’s channel data')
    return this.addIfAllowed(connection, name, user)
  }

  private async addIfAllowed(connection: Connection, name: string, user: PresenceUser | null) {
    const request = Symbol(name)
    connection.pending.set(name, request)
    const access = await this.askForNewSubscription(connection, name, request).catch((error: unknown) => {
      this.log.error({ err: error }, 'A guard failed')
      return null
    })
    // The client has unsubscribed, lost the right, or disconnected meanwhile.
    if (connection.pending.get(name) !== request) return
    connection.pending.delete(name)
    if (access === null) return connection.refuse(name, 503, 'Try again')
    if (!access.isAllowed) return connection.refuse(name, 403, 'Forbidden')
    this.add(connection, name, user, access.view)
    // If the channel has become large meanwhile, asking again also reads the peers.
    if (!access.view.peers && this.channels.large.has(name)) void this.askAgain(connection, name)
  }

  /** Asks again if `recheck` asked meanwhile: the first answer may be from before the change. */
  private async askForNewSubscription(connection: Connection, name: string, request: symbol) {
    for (;;) {
      const { answer, isNewest } = await this.askGuard(connection, name)
      if (isNewest || connection.pending.get(name) !== request) return answer
    }
  }

  /** `isNewest` is false if the same was asked since; an older answer must not replace the newer one. */
  private async askGuard(connection: Connection, name: string) {
    const { user, viewer, newestAsks } = connection
    const ask = Symbol(name)
    newestAsks.set(name, ask)
    try {
      const [isAllowed, hidden, peers] = await Promise.all([
        this.authorisation.isAllowed(user, name),
        this.channels.hasMembers(name) ? this.visibility.hiddenPeople(viewer) : null,
        this.channels.large.has(name) ? this.visibility.peers(viewer) : null,
      ])
      return { answer: { isAllowed, view: { hidden, peers } }, isNewest: newestAsks.get(name) === ask }
    } finally {
      if (newestAsks.get(name) === ask) newestAsks.delete(name)
    }
  }

  private add(connection: Connection, name: string, user: PresenceUser | null, view: MemberView) {
    this.channels.add(connection, name, user, view)
    if (this.answer(connection, name) && isCacheChannel(name)) void this.sendCachedEvent(connection, name)
  }

  /** False if the limit for member lists is used up; then the subscription ends instead. */
  private answer(connection: Connection, name: string) {
    const frame = this.channels.acknowledgementOf(connection, name)
    if (!isPresenceChannel(name) || this.tokenBuckets.consume('lists', connection, frame.length)) {
      connection.enqueue(frame)
      return true
    }
    this.unsubscribe(connection, name)
    connection.refuse(name, 429, 'Too many subscriptions')
    return false
  }

  unsubscribe(connection: Connection, name: string) {
    connection.waiting.delete(name)
    connection.missedAsVisitor.delete(name)
    connection.pending.delete(name)
    this.channels.remove(connection, name)
  }

  unsubscribeAll(connection: Connection) {
    connection.waiting.clear()
    connection.pending.clear()
    for (const name of [...connection.subscriptions.keys()]) this.channels.remove(connection, name)
  }

  /** Connections without a member lose public channels until they are bound, or everyone may read again. */
  setMembersOnly(isMembersOnly: boolean) {
    if (isMembersOnly === this.isMembersOnly) return
    this.isMembersOnly = isMembersOnly
    for (const connection of this.connections.all())
      if (!isMembersOnly) this.addWaiting(connection)
      else if (!connection.user) this.suspendPublic(connection)
  }

  private suspendPublic(connection: Connection) {
    for (const name of [...connection.subscriptions.keys()].filter(isPublicChannel)) {
      this.end(connection, name, 401)
      connection.waiting.add(name)
    }
  }

  /**
   * Subscribes to the channels in `waiting`. If the connection had another user, ends subscriptions that are
   * not public and asks the guards of the others. Closes the connection if the user has too many.
   */
  bind(connectionId: string, user: ConnectionUser) {
    const connection = this.connections.get(connectionId)
    if (!connection) return
    const { user: before, subscriptions } = connection
    this.connections.setUser(connection, user)
    const count = this.connections.ofUser(user.id).length
    if (before?.id !== user.id && !this.tokenBuckets.allowsConnections(count))
      return connection.close(4100, 'Too many connections')
    this.addWaiting(connection)
    if (!before) this.acknowledgeMissed(connection)
    // The earlier subscriptions were allowed without a known user.
    if (!before && [...subscriptions.keys()].some(this.authorisation.guardOf)) void this.recheck(user.id)
    if (before && before.id !== user.id) {
      connection.signedInAs = null
      for (const name of listRequested(connection))
        if (isPublicChannel(name)) void this.askAgain(connection, name)
        else this.end(connection, name, 401)
    }
  }

  /** A client that missed a post for members then fetches as after an interruption. */
  private acknowledgeMissed(connection: Connection) {
    for (const name of connection.missedAsVisitor)
      if (connection.subscriptions.has(name)) this.answer(connection, name)
    connection.missedAsVisitor.clear()
  }

  revoke({ channel, user: member, session }: Revocation) {
    if (channel === undefined && member === undefined && session === undefined) return
    const connections = member === undefined ? this.connections.all() : this.connections.ofUser(member)
    for (const connection of connections) {
      if (session !== undefined && connection.user?.session !== session) continue
      if (channel === undefined) connection.close(4009, 'Connection is unauthorized')
      else this.end(connection, channel, 403)
    }
  }

  /** Ends what is not allowed or whose guard throws, and sends incomplete presence lists again. */
  async recheck(userId: number) {
    for (const connection of this.connections.ofUser(userId))
      for (const name of listRequested(connection)) await this.askAgain(connection, name)
  }

  /** Asks the guards and sends the lists again, because the channel has become large, or small again. */
  async recheckChannel(name: string) {
    for (const connection of [...(this.channels.get(name)?.connections ?? [])])
      await this.askAgain(connection, name)
  }

  private async askAgain(connection: Connection, name: string) {
    const { answer, isNewest } = await this.askGuard(connection, name).catch(() => failedAsk)
    if (!isNewest) return
    if (answer?.isAllowed) this.setMemberView(connection, name, answer.view)
    else this.end(connection, name, 403)
  }

  private setMemberView(connection: Connection, name: string, view: MemberView) {
    const before = connection.subscriptions.get(name)
    if (!before || ![before, view].some(({ hidden, peers }) => hidden?.size || peers)) return
    this.channels.setMemberView(connection, name, view)
    connection.enqueue(this.channels.acknowledgementOf(connection, name))
  }

  private end(connection: Connection, name: string, status: number) {
    if (!connection.pending.has(name) && !connection.subscriptions.has(name)) return
    this.unsubscribe(connection, name)
    connection.refuse(name, status, 'No longer allowed')
  }
}

const failedAsk = { answer: null, isNewest: true }
const noMembers: MemberView = { hidden: null, peers: null }

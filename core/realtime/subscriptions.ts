import type { FastifyBaseLogger } from 'fastify'
import type { ChannelGuardRegistryAndSigner } from '#core/realtime/authorisation.ts'
import type { SubscriptionRevocationSelector } from '#core/realtime/bus.ts'
import { isCacheChannel } from '#core/realtime/cache-channels.ts'
import type { SendCachedLastEventToSubscriber } from '#core/realtime/cached-event-sender.ts'
import {
  isPresenceChannel,
  isPublicChannel,
  type LocalChannels,
  type PresenceVisibilityLimits,
} from '#core/realtime/channels.ts'
import {
  listRequestedChannelNames,
  type WebSocketConnection,
  type WebSocketUserIdAndSessionDigest,
} from '#core/realtime/connection.ts'
import type { OpenWebSocketConnections } from '#core/realtime/connections.ts'
import { type PresenceUser, parsePresenceChannelData } from '#core/realtime/frames.ts'
import type { PresencePeerReader } from '#core/realtime/presence-peers.ts'
import type { RealtimeTokenBuckets } from '#core/realtime/token-buckets.ts'
import { isUserChannel, signInPusherConnection, toUserChannelName } from '#core/realtime/user-events.ts'
import type { RealtimeVisibilityRules } from '#core/realtime/visibility.ts'

const NAME = /^[\w\-=@,.;]{1,200}$/
const CHANNELS_PER_CONNECTION = 200

interface SubscriptionsOptions {
  channels: LocalChannels
  connections: OpenWebSocketConnections
  tokenBuckets: RealtimeTokenBuckets
  authorisation: ChannelGuardRegistryAndSigner
  visibility: RealtimeVisibilityRules
  sendCachedEvent: SendCachedLastEventToSubscriber
  log: FastifyBaseLogger
}

/**
 * Subscribes connections to channels: checks signatures and limits, and asks guards. Ends subscriptions that
 * are no longer allowed.
 */
export class ChannelSubscriptionManager {
  private readonly channels: LocalChannels
  private readonly connections: OpenWebSocketConnections
  private readonly tokenBuckets: RealtimeTokenBuckets
  private readonly authorisation: ChannelGuardRegistryAndSigner
  private readonly visibility: RealtimeVisibilityRules
  private readonly sendCachedEvent: SendCachedLastEventToSubscriber
  private readonly log: FastifyBaseLogger
  private isMembersOnly = false
  /** Lists the peers of a member. A feature sets this function; by default nobody has peers. */
  readPeers: PresencePeerReader = async () => []

  constructor(options: SubscriptionsOptions) {
    this.channels = options.channels
    this.connections = options.connections
    this.tokenBuckets = options.tokenBuckets
    this.authorisation = options.authorisation
    this.visibility = options.visibility
    this.sendCachedEvent = options.sendCachedEvent
    this.log = options.log
  }

  async subscribe(connection: WebSocketConnection, name: string, auth: string, channelData: string) {
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

  /**
   * Subscribes a connection to a public channel: at once, or, in a members-only community, as soon as the
   * connection is bound to a member. If the channel has a guard, asks it about the member first.
   */
  private addPublic(connection: WebSocketConnection, name: string) {
    if (this.isMembersOnly && !connection.user) return void connection.waiting.add(name)
    if (connection.user && this.authorisation.guardOf(name)) return this.addIfAllowed(connection, name, null)
    this.add(connection, name, null, noMembers)
  }

  private addWaiting(connection: WebSocketConnection) {
    const names = [...connection.waiting]
    connection.waiting.clear()
    for (const name of names) void this.addPublic(connection, name)
  }

  /** Handles the message `pusher:signin`: see `signInPusherConnection`. */
  signIn(connection: WebSocketConnection, auth: string, userData: string) {
    signInPusherConnection(connection, auth, userData, this.authorisation)
  }

  private subscribeToUser(connection: WebSocketConnection, name: string) {
    const user = connection.signedInAs
    if (user === null || name !== toUserChannelName(user))
      return connection.refuse(name, 401, 'Sign in first')
    if (connection.subscriptions.has(name)) return this.answer(connection, name)
    this.add(connection, name, null, noMembers)
  }

  private async subscribePresence(
    connection: WebSocketConnection,
    name: string,
    auth: string,
    channelData: string,
  ) {
    if (!this.authorisation.isSigned(auth, connection.id, name, channelData))
      return connection.refuse(name, 401, 'Invalid signature')
    const user = parsePresenceChannelData(channelData)
    if (!user) return connection.refuse(name, 401, 'Invalid channel data')
    const isOwn = !connection.user || String(user.id) === String(connection.user.id)
    if (!isOwn && this.authorisation.guardOf(name))
      return connection.refuse(name, 401, 'Somebody else’s channel data')
    return this.addIfAllowed(connection, name, user)
  }

  private async addIfAllowed(connection: WebSocketConnection, name: string, user: PresenceUser | null) {
    const request = Symbol(name)
    connection.pending.set(name, request)
    const access = await this.askForNewSubscription(connection, name, request).catch((error: unknown) => {
      this.log.error({ err: error }, 'A guard failed')
      return null
    })
    // Stops if the client has unsubscribed, lost the right, or disconnected meanwhile.
    if (connection.pending.get(name) !== request) return
    connection.pending.delete(name)
    if (access === null) return connection.refuse(name, 503, 'Try again')
    if (!access.isAllowed) return connection.refuse(name, 403, 'Forbidden')
    this.add(connection, name, user, access.view)
    // Asks the guard again, which also reads the peers, if the channel has become large meanwhile.
    if (!access.view.peers && this.channels.large.has(name)) void this.askAgain(connection, name)
  }

  /**
   * Asks the guard for a subscription that is not added yet. Asks again if `recheck` asked meanwhile, because
   * the first answer may be from before the change that was the reason.
   */
  private async askForNewSubscription(connection: WebSocketConnection, name: string, request: symbol) {
    for (;;) {
      const { answer, isNewest } = await this.askGuard(connection, name)
      if (isNewest || connection.pending.get(name) !== request) return answer
    }
  }

  /**
   * Asks the guard whether the user may subscribe, and which members of a presence channel the user sees.
   * `isNewest` is false if somebody has asked about the same subscription since; an older answer must not
   * replace the newer one.
   */
  private async askGuard(connection: WebSocketConnection, name: string) {
    const { user, viewer, newestAsks } = connection
    const ask = Symbol(name)
    newestAsks.set(name, ask)
    try {
      const [isAllowed, hidden, peers] = await Promise.all([
        this.authorisation.isAllowed(user, name),
        this.channels.hasMembers(name) ? this.visibility.hiddenPeople(viewer) : null,
        this.channels.large.has(name) ? this.readPeers(viewer) : null,
      ])
      return { answer: { isAllowed, view: { hidden, peers } }, isNewest: newestAsks.get(name) === ask }
    } finally {
      if (newestAsks.get(name) === ask) newestAsks.delete(name)
    }
  }

  private add(
    connection: WebSocketConnection,
    name: string,
    user: PresenceUser | null,
    view: PresenceVisibilityLimits,
  ) {
    this.channels.add(connection, name, user, view)
    if (this.answer(connection, name) && isCacheChannel(name)) void this.sendCachedEvent(connection, name)
  }

  /**
   * Acknowledges a subscription. If the client has used up its limit for member lists, ends the subscription
   * instead and returns false.
   */
  private answer(connection: WebSocketConnection, name: string) {
    const frame = this.channels.acknowledgementOf(connection, name)
    if (!isPresenceChannel(name) || this.tokenBuckets.consume('lists', connection, frame.length)) {
      connection.enqueue(frame)
      return true
    }
    this.unsubscribe(connection, name)
    connection.refuse(name, 429, 'Too many subscriptions')
    return false
  }

  unsubscribe(connection: WebSocketConnection, name: string) {
    connection.waiting.delete(name)
    connection.missedAsVisitor.delete(name)
    connection.pending.delete(name)
    this.channels.remove(connection, name)
  }

  unsubscribeAll(connection: WebSocketConnection) {
    connection.waiting.clear()
    connection.pending.clear()
    for (const name of [...connection.subscriptions.keys()]) this.channels.remove(connection, name)
  }

  // ── Changing subscriptions when rights change ─────────────────────────────

  /**
   * Sets whether only members may read the community. If so, connections that are not bound to a member
   * lose their public channels. They get these channels again when they are bound to a member, or when
   * everyone may read again.
   */
  setMembersOnly(isMembersOnly: boolean) {
    if (isMembersOnly === this.isMembersOnly) return
    this.isMembersOnly = isMembersOnly
    for (const connection of this.connections.all())
      if (!isMembersOnly) this.addWaiting(connection)
      else if (!connection.user) this.suspendPublic(connection)
  }

  private suspendPublic(connection: WebSocketConnection) {
    for (const name of [...connection.subscriptions.keys()].filter(isPublicChannel)) {
      this.end(connection, name, 401)
      connection.waiting.add(name)
    }
  }

  /**
   * Binds a connection to a user, and subscribes it to the channels in `waiting`. If the connection was
   * bound to another user, ends its subscriptions to channels that are not public, and asks the guards of the
   * others. Closes the connection if the user now has too many connections.
   */
  bind(connectionId: string, user: WebSocketUserIdAndSessionDigest) {
    const connection = this.connections.get(connectionId)
    if (!connection) return
    const { user: before, subscriptions } = connection
    this.connections.setUser(connection, user)
    const count = this.connections.ofUser(user.id).length
    if (before?.id !== user.id && !this.tokenBuckets.allowsConnections(count))
      return connection.close(4100, 'Too many connections')
    this.addWaiting(connection)
    if (!before) this.acknowledgeMissed(connection)
    // Asks the guards of the earlier subscriptions now, because these were allowed without a known user.
    if (!before && [...subscriptions.keys()].some(this.authorisation.guardOf)) void this.recheck(user.id)
    if (before && before.id !== user.id) {
      connection.signedInAs = null
      for (const name of listRequestedChannelNames(connection))
        if (isPublicChannel(name)) void this.askAgain(connection, name)
        else this.end(connection, name, 401)
    }
  }

  /**
   * Sends another acknowledgement for each subscription that missed an event while the connection was not
   * bound to a member, such as a post for members. The client then fetches what it missed, as after an
   * interruption.
   */
  private acknowledgeMissed(connection: WebSocketConnection) {
    for (const name of connection.missedAsVisitor)
      if (connection.subscriptions.has(name)) this.answer(connection, name)
    connection.missedAsVisitor.clear()
  }

  revoke({ channel, user: member, session }: SubscriptionRevocationSelector) {
    if (channel === undefined && member === undefined && session === undefined) return
    const connections = member === undefined ? this.connections.all() : this.connections.ofUser(member)
    for (const connection of connections) {
      if (session !== undefined && connection.user?.session !== session) continue
      if (channel === undefined) connection.close(4009, 'Connection is unauthorized')
      else this.end(connection, channel, 403)
    }
  }

  /**
   * Asks the guards of all subscriptions of a user again, and ends those that are not allowed or whose guard
   * throws. Sends the list of a presence channel again if the user sees only some members, before or now.
   */
  async recheck(userId: number) {
    for (const connection of this.connections.ofUser(userId))
      for (const name of listRequestedChannelNames(connection)) await this.askAgain(connection, name)
  }

  /**
   * Asks the guards of all subscriptions to a presence channel again, and sends the member lists again,
   * because the channel has become large, or small again.
   */
  async recheckChannel(name: string) {
    for (const connection of [...(this.channels.get(name)?.connections ?? [])])
      await this.askAgain(connection, name)
  }

  private async askAgain(connection: WebSocketConnection, name: string) {
    const { answer, isNewest } = await this.askGuard(connection, name).catch(() => failedAsk)
    if (!isNewest) return
    if (answer?.isAllowed) this.setMemberView(connection, name, answer.view)
    else this.end(connection, name, 403)
  }

  private setMemberView(connection: WebSocketConnection, name: string, view: PresenceVisibilityLimits) {
    const before = connection.subscriptions.get(name)
    if (!before || ![before, view].some(({ hidden, peers }) => hidden?.size || peers)) return
    this.channels.setMemberView(connection, name, view)
    connection.enqueue(this.channels.acknowledgementOf(connection, name))
  }

  private end(connection: WebSocketConnection, name: string, status: number) {
    if (!connection.pending.has(name) && !connection.subscriptions.has(name)) return
    this.unsubscribe(connection, name)
    connection.refuse(name, status, 'No longer allowed')
  }
}

const failedAsk = { answer: null, isNewest: true }
const noMembers: PresenceVisibilityLimits = { hidden: null, peers: null }

import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Config } from '#core/config.ts'
import type * as contract from '#core/contract.ts'
import {
  type ChannelGuardRegistryAndSigner,
  type ChannelGuards,
  createChannelGuardRegistryAndSigner,
} from '#core/realtime/authorisation.ts'
import {
  type ChannelNamesOrPrefix,
  GLOBAL_PROCESS_BUS_TOPIC,
  type ProcessBus,
  type SubscriptionRevocationSelector,
  type TracedDeliveryListener,
} from '#core/realtime/bus.ts'
import { createProcessBusHandlers } from '#core/realtime/bus-handlers.ts'
import type { LastChannelEventCache } from '#core/realtime/cache-channels.ts'
import { createCachedChannelEventSender } from '#core/realtime/cached-event-sender.ts'
import { LocalChannels } from '#core/realtime/channels.ts'
import { handleWebSocketClientMessage } from '#core/realtime/client-messages.ts'
import { WebSocketConnection, WebSocketFrameFlusher } from '#core/realtime/connection.ts'
import {
  createPusherSubscriptionAndSignInSigner,
  type PusherSubscriptionAndSignInSigner,
} from '#core/realtime/connection-authoriser.ts'
import type { WebSocketUpgradeWithinLimits } from '#core/realtime/connection-limits.ts'
import { OpenWebSocketConnections } from '#core/realtime/connections.ts'
import { ChannelSubscriberCountAnnouncer } from '#core/realtime/count-announcer.ts'
import {
  type CrossProcessSubscriptionCounter,
  createCrossProcessSubscriptionCounter,
} from '#core/realtime/counts.ts'
import { ChannelEventBroadcaster } from '#core/realtime/event-broadcaster.ts'
import { limitIncomingWebSocketFrames } from '#core/realtime/incoming-frames.ts'
import { ChannelAndPresenceWebhooks } from '#core/realtime/occupancy.ts'
import {
  type BroadcastJsonOptions,
  type BroadcastOptions,
  defaultRealtimeServerConnectionLimits,
  type RealtimeServerConnectionLimits,
} from '#core/realtime/options.ts'
import type { PresencePeerReader } from '#core/realtime/presence-peers.ts'
import { ChannelSubscriptionManager } from '#core/realtime/subscriptions.ts'
import type { RealtimeTokenBuckets } from '#core/realtime/token-buckets.ts'
import type { RealtimeVisibilityRules } from '#core/realtime/visibility.ts'
import {
  createWebSocketServer,
  findWebSocketHandshakeCloseReason,
  type WebSocketCloseReason,
} from '#core/realtime/web-sockets.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'

/**
 * Sends realtime events to browsers and other Pusher clients. The methods that features call affect the
 * clients of all processes, except `setMembersOnly`, which affects only this process. `stats` and `close`
 * also concern only this process.
 */
export class RealtimeServer {
  private readonly config: Config
  private readonly log: FastifyBaseLogger
  private readonly bus: ProcessBus
  private readonly tokenBuckets: RealtimeTokenBuckets
  private readonly broadcaster: ChannelEventBroadcaster
  private readonly announcer: ChannelSubscriberCountAnnouncer
  private readonly subscriptions: ChannelSubscriptionManager
  private readonly webhooks: WebhookQueue
  private readonly occupancy: ChannelAndPresenceWebhooks
  private readonly options: Required<RealtimeServerConnectionLimits>
  private readonly connections = new OpenWebSocketConnections()
  private readonly flusher = new WebSocketFrameFlusher()
  private readonly authorisation: ChannelGuardRegistryAndSigner
  private readonly authoriser: PusherSubscriptionAndSignInSigner
  private readonly channels: LocalChannels
  private readonly counter: CrossProcessSubscriptionCounter
  private readonly webSockets: WebSocketServer
  private readonly pings: NodeJS.Timeout
  private settingsListener = () => {}
  private isClosing = false

  constructor(
    config: Config,
    log: FastifyBaseLogger,
    bus: ProcessBus,
    tokenBuckets: RealtimeTokenBuckets,
    cache: LastChannelEventCache,
    visibility: RealtimeVisibilityRules,
    webhooks: WebhookQueue,
    options: RealtimeServerConnectionLimits,
  ) {
    this.config = config
    this.log = log
    this.bus = bus
    this.tokenBuckets = tokenBuckets
    this.broadcaster = new ChannelEventBroadcaster({ bus, cache, log })
    this.options = { ...defaultRealtimeServerConnectionLimits, ...options }
    this.authorisation = createChannelGuardRegistryAndSigner(config)
    const { connections, authorisation } = this
    this.authoriser = createPusherSubscriptionAndSignInSigner({ authorisation, bus, connections })
    const onMissed = () => connections.reconnectAll()
    this.counter = createCrossProcessSubscriptionCounter(bus, (selector) => this.channels.counts(selector))
    this.announcer = new ChannelSubscriberCountAnnouncer(this.counter, bus)
    const common = { authorisation, visibility, bus, log }
    this.webhooks = webhooks
    const occupancy = new ChannelAndPresenceWebhooks(bus, webhooks)
    this.occupancy = occupancy
    this.channels = new LocalChannels({
      ...common,
      ...{ announcer: this.announcer, occupancy, onMissed },
      maxCompleteMemberList: this.options.maxCompleteMemberList,
      onLargeChanged: (channel) => void this.subscriptions.recheckChannel(channel),
    })
    const sendCachedEvent = createCachedChannelEventSender({ channels: this.channels, cache, webhooks, log })
    const own = { channels: this.channels, connections, tokenBuckets, sendCachedEvent }
    this.subscriptions = new ChannelSubscriptionManager({ ...common, ...own })
    this.webSockets = createWebSocketServer()
    const { activityTimeout, pongTimeout } = this.options
    const pingIdle = () => this.connections.pingIdle(activityTimeout * 1500, pongTimeout * 1000)
    this.pings = setInterval(pingIdle, Math.min(activityTimeout, pongTimeout) * 250).unref()
    const { channels, subscriptions, counter } = this
    const onSettings = () => this.settingsListener()
    const parts = { connections, channels, subscriptions, counter, occupancy }
    bus.listen(createProcessBusHandlers({ ...parts, bus, tokenBuckets, onSettings }))
  }

  // ── The methods that features call ────────────────────────────────────────

  /** Sends an event to the subscribers of the channels, except to those who may not receive it. */
  broadcast(channels: readonly string[], event: string, data: unknown, options: BroadcastOptions = {}) {
    this.broadcaster.broadcast(channels, event, data, options)
  }

  /** Sends an event to the subscribers of the channels, as `broadcast` does. `data` is already JSON. */
  broadcastJson(channels: readonly string[], event: string, data: string, options: BroadcastJsonOptions) {
    this.broadcaster.broadcastJson(channels, event, data, options)
  }

  /** Ends the selected subscriptions, or closes the selected connections. */
  revoke(revocation: SubscriptionRevocationSelector) {
    void this.bus.publish(revocation.channel ?? GLOBAL_PROCESS_BUS_TOPIC, { kind: 'revoke', ...revocation })
  }

  /**
   * Asks the guards of all subscriptions of a user again, and ends the subscriptions that are no longer
   * allowed. This is for a change of rights that may affect any channel. Also sends the member lists of
   * presence channels again if the user sees only some of the members, before or now.
   */
  recheckGuards(userId: number) {
    void this.bus.publish(GLOBAL_PROCESS_BUS_TOPIC, { kind: 'recheck', user: userId })
  }

  /** Sets the function that lists the peers of a member. At most one feature sets it. */
  setPresencePeerReader(readPeers: PresencePeerReader) {
    this.subscriptions.readPeers = readPeers
  }

  /**
   * Reads the peers of these members again, after the result of the `PresencePeerReader` for them has
   * changed. Does nothing while no presence channel is large.
   */
  refreshPresencePeers(members: readonly number[]) {
    if (this.channels.large.exist) for (const member of members) this.recheckGuards(member)
  }

  /** Declares the channels of a feature, with the guards of those that are not public. */
  addChannels<C extends contract.RealtimeChannelDefinitions>(channels: C, guards: ChannelGuards<C>) {
    this.authorisation.addChannels(channels, guards)
  }

  /** Signs subscriptions and binds the connection to the user: see PusherSubscriptionAndSignInSigner. */
  authorise(me: number, session: string, connectionId: string, channels: readonly string[]) {
    return this.authoriser.authorise(me, session, connectionId, channels)
  }

  /** Resolves to signed user data for `pusher:signin`, and binds the connection to the user. */
  authoriseUser(me: number, session: string, connectionId: string) {
    return this.authoriser.authoriseUser(me, session, connectionId)
  }

  /** Closes the connections on which the user has signed in. */
  terminateUserConnections(user: string) {
    void this.bus.publish(GLOBAL_PROCESS_BUS_TOPIC, { kind: 'terminate', user })
  }

  /**
   * Resolves to the number of subscribed connections of each selected channel that has any, in all processes.
   */
  subscriptionCounts(selector: ChannelNamesOrPrefix) {
    return this.counter.count(selector)
  }

  /** Returns the ids of the users in a presence channel. */
  memberIds(channel: string) {
    return this.channels.presence.idsOf(channel)
  }

  /**
   * Calls `listener` each time this process has delivered an event with a trace, in the same turn of the
   * event loop. The listener must be quick.
   */
  onTracedDelivery(listener: TracedDeliveryListener) {
    this.channels.onTracedDelivery = listener
  }

  /** Tells the other processes that the settings have changed. */
  announceSettings() {
    void this.bus.publish(GLOBAL_PROCESS_BUS_TOPIC, { kind: 'settings' })
  }

  /** Makes the clients of all processes connect again, because events may have been lost. */
  announceLostEvents() {
    void this.bus.publish(GLOBAL_PROCESS_BUS_TOPIC, { kind: 'missed' })
  }

  /** Calls `listener` when another process has changed the settings, or may have. */
  onSettingsChanged(listener: () => void) {
    this.settingsListener = listener
  }

  /** Sets, for the connections of this process, whether only members may subscribe to public channels. */
  setMembersOnly(isMembersOnly: boolean) {
    this.subscriptions.setMembersOnly(isMembersOnly)
  }

  /** Resolves when all broadcast events have been sent to the other processes. */
  flushed() {
    return this.bus.flushed()
  }

  /**
   * Whether the bus works now, which means that messages that this process published came back to it
   * recently. Always true with a single process.
   */
  isConnected() {
    return this.bus.isConnected()
  }

  /** Returns the numbers of this process for metrics. Events and deliveries are counted from its start. */
  stats() {
    return {
      connections: this.connections.size,
      channels: this.channels.size,
      processes: this.bus.otherProcesses().length + 1,
      events: this.channels.events,
      deliveries: this.flusher.deliveries,
      dropped: this.flusher.dropped,
    }
  }

  /**
   * Closes all connections of this process with the close code 4200, and the bus. Resolves once they are
   * closed.
   */
  async close() {
    this.isClosing = true
    clearInterval(this.pings)
    this.tokenBuckets.close()
    this.announcer.close()
    await this.connections.close()
    // If there are no other processes, announces now that the users have left. Otherwise the other
    // processes announce it for users who were connected only to this process.
    if (!this.bus.otherProcesses().length) {
      this.channels.presence.flush()
      this.occupancy.flush()
    }
    await this.webhooks.close()
    await this.bus.close()
  }

  // ── Accepting connections ─────────────────────────────────────────────────

  upgrade(upgrade: WebSocketUpgradeWithinLimits) {
    const { request, socket, head } = upgrade
    // Sends the answer to the handshake and the first frame in one write, because a write costs more than
    // both.
    socket.cork()
    this.webSockets.handleUpgrade(request, socket, head, (ws) => this.open(ws, upgrade))
    socket.uncork()
  }

  private open(ws: WebSocket, upgrade: WebSocketUpgradeWithinLimits) {
    const { connections, channels, subscriptions, bus, tokenBuckets, webhooks } = this
    const connection = new WebSocketConnection(ws, upgrade, this.flusher, (closed) =>
      subscriptions.unsubscribeAll(closed),
    )
    limitIncomingWebSocketFrames(upgrade.socket, connection, tokenBuckets)
    const refusal = this.refusalOf(upgrade)
    if (refusal) return connection.close(...refusal)
    connections.add(connection)
    ws.on('close', () => connections.delete(connection))
    ws.on('message', (data) => {
      try {
        handleWebSocketClientMessage(connection, data, {
          channels,
          subscriptions,
          bus,
          tokenBuckets,
          webhooks,
        })
      } catch (error) {
        this.log.error({ err: error }, 'A message of a client failed')
        connection.sendError(4200, 'Invalid message')
      }
    })
    const activity_timeout = this.options.activityTimeout
    connection.send('pusher:connection_established', { socket_id: connection.id, activity_timeout })
    connection.flush()
  }

  /** Returns the close code and reason for a connection that is not accepted; null if it is accepted. */
  private refusalOf(upgrade: WebSocketUpgradeWithinLimits): WebSocketCloseReason | null {
    if (this.isClosing) return [4200, 'The server is restarting']
    const reason = findWebSocketHandshakeCloseReason(upgrade, this.config)
    if (reason || this.connections.size < this.options.maxConnections) return reason
    return upgrade.member !== null && this.connections.displaceVisitor() ? null : [4100, 'Over capacity']
  }
}

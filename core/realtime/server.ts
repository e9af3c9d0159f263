import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Config } from '#core/config.ts'
import { type Authorisation, type ChannelGuards, createAuthorisation } from '#core/realtime/authorisation.ts'
import {
  type ChannelSelector,
  GLOBAL_TOPIC,
  type ProcessBus,
  type Revocation,
  type TraceListener,
} from '#core/realtime/bus.ts'
import { createBusHandlers } from '#core/realtime/bus-handlers.ts'
import type { EventCache } from '#core/realtime/cache-channels.ts'
import { createSendCached } from '#core/realtime/cached-event-sender.ts'
import { LocalChannels } from '#core/realtime/channels.ts'
import { handleMessage } from '#core/realtime/client-messages.ts'
import { Connection, FrameFlusher } from '#core/realtime/connection.ts'
import { type Authoriser, createAuthoriser } from '#core/realtime/connection-authoriser.ts'
import type { Upgrade } from '#core/realtime/connection-limits.ts'
import { Connections } from '#core/realtime/connections.ts'
import { CountAnnouncer } from '#core/realtime/count-announcer.ts'
import { type Counter, createCounter } from '#core/realtime/counts.ts'
import { Broadcaster } from '#core/realtime/event-broadcaster.ts'
import { limitFrames } from '#core/realtime/incoming-frames.ts'
import { Occupancy } from '#core/realtime/occupancy.ts'
import {
  type BroadcastJsonOptions,
  type BroadcastOptions,
  type ConnectionLimits,
  defaultLimits,
} from '#core/realtime/options.ts'
import { Subscriptions } from '#core/realtime/subscriptions.ts'
import type { TokenBuckets } from '#core/realtime/token-buckets.ts'
import type { VisibilityRules } from '#core/realtime/visibility.ts'
import { type CloseReason, createSocketServer, findCloseReason } from '#core/realtime/web-sockets.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'
import type { ServedChannels } from '#core/schemas.ts'

/** Methods affect the clients of all processes, except `setMembersOnly`, `stats` and `close`. */
export class RealtimeServer {
  private readonly config: Config
  private readonly log: FastifyBaseLogger
  private readonly bus: ProcessBus
  private readonly tokenBuckets: TokenBuckets
  private readonly broadcaster: Broadcaster
  private readonly announcer: CountAnnouncer
  private readonly subscriptions: Subscriptions
  private readonly webhooks: WebhookQueue
  private readonly occupancy: Occupancy
  private readonly options: Required<ConnectionLimits>
  private readonly connections = new Connections()
  private readonly flusher = new FrameFlusher()
  private readonly authorisation: Authorisation
  private readonly authoriser: Authoriser
  private readonly channels: LocalChannels
  private readonly counter: Counter
  private readonly webSockets: WebSocketServer
  private readonly pings: NodeJS.Timeout
  private settingsListener = () => {}
  private isClosing = false

  constructor(
    config: Config,
    log: FastifyBaseLogger,
    bus: ProcessBus,
    tokenBuckets: TokenBuckets,
    cache: EventCache,
    visibility: VisibilityRules,
    webhooks: WebhookQueue,
    options: ConnectionLimits,
  ) {
    this.config = config
    this.log = log
    this.bus = bus
    this.tokenBuckets = tokenBuckets
    this.broadcaster = new Broadcaster({ bus, cache, log })
    this.options = { ...defaultLimits, ...options }
    this.authorisation = createAuthorisation(config)
    const { connections, authorisation } = this
    this.authoriser = createAuthoriser({ authorisation, bus, connections })
    const onMissed = () => connections.reconnectAll()
    this.counter = createCounter(bus, (selector) => this.channels.counts(selector))
    this.announcer = new CountAnnouncer(this.counter, bus)
    const common = { authorisation, visibility, bus, log }
    this.webhooks = webhooks
    const occupancy = new Occupancy(bus, webhooks)
    this.occupancy = occupancy
    this.channels = new LocalChannels({
      ...common,
      ...{ announcer: this.announcer, occupancy, onMissed },
      maxCompleteMemberList: this.options.maxCompleteMemberList,
      onLargeChanged: (channel) => void this.subscriptions.recheckChannel(channel),
    })
    const sendCachedEvent = createSendCached({ channels: this.channels, cache, webhooks, log })
    const own = { channels: this.channels, connections, tokenBuckets, sendCachedEvent }
    this.subscriptions = new Subscriptions({ ...common, ...own })
    this.webSockets = createSocketServer()
    const { activityTimeout, pongTimeout } = this.options
    const pingIdle = () => this.connections.pingIdle(activityTimeout * 1500, pongTimeout * 1000)
    this.pings = setInterval(pingIdle, Math.min(activityTimeout, pongTimeout) * 250).unref()
    const { channels, subscriptions, counter } = this
    const onSettings = () => this.settingsListener()
    const parts = { connections, channels, subscriptions, counter, occupancy }
    bus.listen(createBusHandlers({ ...parts, bus, onSettings }))
  }

  /** Only to those who may receive it. */
  broadcast(channels: readonly string[], event: string, data: unknown, options: BroadcastOptions = {}) {
    this.broadcaster.broadcast(channels, event, data, options)
  }

  /** `data` is already JSON. */
  broadcastJson(channels: readonly string[], event: string, data: string, options: BroadcastJsonOptions) {
    this.broadcaster.broadcastJson(channels, event, data, options)
  }

  revoke(revocation: Revocation) {
    void this.bus.publish(revocation.channel ?? GLOBAL_TOPIC, { kind: 'revoke', ...revocation })
  }

  /** After a change of rights in any channel. Also sends incomplete member lists again. */
  recheckGuards(userId: number) {
    void this.bus.publish(GLOBAL_TOPIC, { kind: 'recheck', user: userId })
  }

  /** After a change of what the `ReadPeers` returns. Nothing while no presence channel is large. */
  refreshPresencePeers(members: readonly number[]) {
    if (this.channels.large.exist) for (const member of members) this.recheckGuards(member)
  }

  addChannels<C extends ServedChannels>(channels: C, guards: ChannelGuards<C>) {
    this.authorisation.addChannels(channels, guards)
  }

  authorise(me: number, session: string, connectionId: string, channels: readonly string[]) {
    return this.authoriser.authorise(me, session, connectionId, channels)
  }

  authoriseUser(me: number, session: string, connectionId: string) {
    return this.authoriser.authoriseUser(me, session, connectionId)
  }

  /** Closes the connections on which the user has signed in. */
  terminateUserConnections(user: string) {
    void this.bus.publish(GLOBAL_TOPIC, { kind: 'terminate', user })
  }

  /** In all processes; channels without subscriptions are left out. */
  subscriptionCounts(selector: ChannelSelector) {
    return this.counter.count(selector)
  }

  memberIds(channel: string) {
    return this.channels.presence.idsOf(channel)
  }

  /** Called in the same turn of the event loop, so it must be quick. */
  onTracedDelivery(listener: TraceListener) {
    this.channels.onTracedDelivery = listener
  }

  /** To the other processes. */
  announceSettings() {
    void this.bus.publish(GLOBAL_TOPIC, { kind: 'settings' })
  }

  /** Clients of all processes connect again. */
  announceLostEvents() {
    void this.bus.publish(GLOBAL_TOPIC, { kind: 'missed' })
  }

  /** By another process; also called when they may have changed. */
  onSettingsChanged(listener: () => void) {
    this.settingsListener = listener
  }

  /** Only for the connections of this process. */
  setMembersOnly(isMembersOnly: boolean) {
    this.subscriptions.setMembersOnly(isMembersOnly)
  }

  /** Resolves when all broadcast events have been sent to the other processes. */
  flushed() {
    return this.bus.flushed()
  }

  /** False if messages of this process did not come back lately. Always true with a single process. */
  isConnected() {
    return this.bus.isConnected()
  }

  /** Only this process, counted from its start. */
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

  /** Resolves once all connections are closed (4200), and the bus. */
  async close() {
    this.isClosing = true
    clearInterval(this.pings)
    this.tokenBuckets.close()
    this.announcer.close()
    await this.connections.close()
    // Without other processes, announces the leaves now. Otherwise the others do.
    if (!this.bus.otherProcesses().length) {
      this.channels.presence.flush()
      this.occupancy.flush()
    }
    await this.webhooks.close()
    await this.bus.close()
  }

  upgrade(upgrade: Upgrade) {
    const { request, socket, head } = upgrade
    // The handshake and the first frame go out in one write, which costs more than both.
    socket.cork()
    this.webSockets.handleUpgrade(request, socket, head, (ws) => this.open(ws, upgrade))
    socket.uncork()
  }

  private open(ws: WebSocket, upgrade: Upgrade) {
    const { connections, channels, subscriptions, bus, tokenBuckets, webhooks } = this
    const connection = new Connection(ws, upgrade, this.flusher, (closed) =>
      subscriptions.unsubscribeAll(closed),
    )
    limitFrames(upgrade.socket, connection, tokenBuckets)
    const refusal = this.refusalOf(upgrade)
    if (refusal) return connection.close(...refusal)
    connections.add(connection)
    ws.on('close', () => connections.delete(connection))
    ws.on('message', (data) => {
      try {
        handleMessage(connection, data, {
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

  /** Null if the connection is accepted. */
  private refusalOf(upgrade: Upgrade): CloseReason | null {
    if (this.isClosing) return [4200, 'The server is restarting']
    const reason = findCloseReason(upgrade, this.config)
    if (reason || this.connections.size < this.options.maxConnections) return reason
    return upgrade.member !== null && this.connections.displaceVisitor() ? null : [4100, 'Over capacity']
  }
}

import type { Server } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Config } from '#core/config.ts'
import type * as contract from '#core/contract.ts'
import { errors } from '#core/http/errors.ts'
import type { Audience } from '#core/realtime/audience.ts'
import {
  type Authorisation,
  createAuthorisation,
  digestOf,
  type Guards,
} from '#core/realtime/authorisation.ts'
import { type Budgets, createBudgets } from '#core/realtime/budgets.ts'
import {
  type Bus,
  type BusMessage,
  type ChannelSelector,
  createMemoryBus,
  type EventMessage,
  NO_CHANNEL,
  type Revocation,
} from '#core/realtime/bus.ts'
import { createBusHandlers } from '#core/realtime/bus-handlers.ts'
import {
  type CachedEvent,
  createMemoryEventCache,
  createRedisEventCache,
  type EventCache,
  isCacheChannel,
} from '#core/realtime/cache-channels.ts'
import { Channels, isPresence } from '#core/realtime/channels.ts'
import { Connection, Flusher } from '#core/realtime/connection.ts'
import { listenForUpgrades, type Upgrade } from '#core/realtime/connection-limits.ts'
import { Connections } from '#core/realtime/connections.ts'
import { CountAnnouncer } from '#core/realtime/count-announcer.ts'
import { createSubscriptionCounter, type SubscriptionCounter } from '#core/realtime/counts.ts'
import { countMessage, handleMessage } from '#core/realtime/events.ts'
import { Occupancy } from '#core/realtime/occupancy.ts'
import { createRedisBus } from '#core/realtime/redis-bus.ts'
import { Subscriptions } from '#core/realtime/subscriptions.ts'
import { signUser } from '#core/realtime/user-events.ts'
import { createWebSockets, protocolRefusal, type Refusal } from '#core/realtime/web-sockets.ts'
import { Webhooks } from '#core/realtime/webhooks.ts'
import type { Redis } from '#core/redis.ts'

export interface RealtimeOptions {
  /** Seconds of silence after which a client sends a ping. The server sends one after half as long again. */
  activityTimeout?: number
  /** Seconds that a client has to answer a ping. */
  pongTimeout?: number
  maxConnections?: number
}

interface BroadcastOptions extends Pick<EventMessage, 'except' | 'about'> {
  /** Data for the viewers who may not see all of `about`. Without it they get nothing. */
  otherwise?: unknown
}

/**
 * Serves WebSockets on `server`. `redis` connects it with the other processes of the community. `audience`
 * says whom an event may reach.
 */
export async function createRealtime(
  config: Config,
  server: Server,
  log: FastifyBaseLogger,
  redis: Redis | null,
  audience: Audience,
  options: RealtimeOptions = {},
): Promise<Realtime> {
  const bus = redis ? await createRedisBus(redis, log) : createMemoryBus()
  const budgets = createBudgets(config)
  const cache = redis ? createRedisEventCache(redis) : createMemoryEventCache()
  const realtime = new Realtime(config, log, bus, budgets, cache, audience, options)
  listenForUpgrades(server, config, budgets, (upgrade) => realtime.upgrade(upgrade))
  return realtime
}

/** Live events for browsers and other Pusher clients. Its methods concern all processes, except `stats`. */
export class Realtime {
  private readonly config: Config
  private readonly log: FastifyBaseLogger
  private readonly bus: Bus
  private readonly budgets: Budgets
  private readonly cache: EventCache
  private readonly announcer: CountAnnouncer
  private readonly subscriptions: Subscriptions
  private readonly webhooks: Webhooks
  private readonly occupancy: Occupancy
  private readonly options: Required<RealtimeOptions>
  private readonly connections = new Connections()
  private readonly flusher = new Flusher()
  private readonly authorisation: Authorisation
  private readonly channels: Channels
  private readonly counter: SubscriptionCounter
  private readonly webSockets: WebSocketServer
  private readonly pings: NodeJS.Timeout
  private isClosing = false

  constructor(
    config: Config,
    log: FastifyBaseLogger,
    bus: Bus,
    budgets: Budgets,
    cache: EventCache,
    audience: Audience,
    options: RealtimeOptions,
  ) {
    this.config = config
    this.log = log
    this.bus = bus
    this.budgets = budgets
    this.cache = cache
    this.options = { activityTimeout: 30, pongTimeout: 30, maxConnections: 20_000, ...options }
    this.authorisation = createAuthorisation(config)
    const { connections, authorisation } = this
    const onMissed = () => connections.reconnectAll()
    this.counter = createSubscriptionCounter(bus, (selector) => this.channels.counts(selector))
    this.announcer = new CountAnnouncer(this.counter, bus)
    const common = { authorisation, audience, bus, log }
    this.webhooks = new Webhooks(config, log)
    const occupancy = new Occupancy(bus, this.webhooks)
    this.occupancy = occupancy
    this.channels = new Channels({ ...common, announcer: this.announcer, occupancy, onMissed })
    const own = { channels: this.channels, connections, budgets, cache, webhooks: this.webhooks }
    this.subscriptions = new Subscriptions({ ...common, ...own })
    this.webSockets = createWebSockets()
    const { activityTimeout, pongTimeout } = this.options
    const pingIdle = () => this.connections.pingIdle(activityTimeout * 1500, pongTimeout * 1000)
    this.pings = setInterval(pingIdle, Math.min(activityTimeout, pongTimeout) * 250).unref()
    const { channels, subscriptions, counter } = this
    bus.listen(createBusHandlers({ bus, connections, channels, subscriptions, counter, occupancy }))
  }

  // ── What the features call ────────────────────────────────────────────────

  /** Sends an event to the subscribers of the channels. Each process asks whom it may reach there. */
  broadcast(channels: readonly string[], event: string, data: unknown, options: BroadcastOptions = {}) {
    const otherwise = JSON.stringify(options.otherwise) as string | undefined
    this.broadcastJson(channels, event, JSON.stringify(data), { ...options, otherwise })
  }

  /** As `broadcast`, with data that is JSON already. */
  broadcastJson(
    channels: readonly string[],
    event: string,
    data: string,
    options: Pick<EventMessage, 'except' | 'about' | 'otherwise'>,
  ) {
    // A group's event has a channel for each member. Channels of one stream share a message.
    if (!options.about) this.cacheLast(channels, { event, data })
    const byStream = Object.groupBy(channels, (channel) => this.bus.streamOf(channel))
    for (const names of Object.values(byStream))
      void this.bus.publish(names![0]!, { kind: 'event', channels: names!, event, data, ...options })
  }

  /** Before it is published, so that a new subscriber gets it by one of the two ways. */
  private cacheLast(channels: readonly string[], event: CachedEvent) {
    for (const channel of channels.filter(isCacheChannel))
      this.cache.set(channel, event).catch((error: unknown) => {
        this.log.warn({ err: error }, 'The last event of a channel was not cached')
      })
  }

  revoke({ session, ...revocation }: Revocation) {
    const digest = session !== undefined && { session: digestOf(session) }
    void this.bus.publish(revocation.channel ?? NO_CHANNEL, { kind: 'revoke', ...revocation, ...digest })
  }

  /**
   * Asks the guards of all subscriptions of a user again, for changes of rights where it is not known which
   * channels they concern. Sends the members of presence channels again where some may be hidden.
   */
  recheck(userId: number) {
    void this.bus.publish(NO_CHANNEL, { kind: 'recheck', user: userId })
  }

  /** Declares channels of a feature. */
  addChannels<C extends contract.Channels>(channels: C, guards: Guards<C>) {
    this.authorisation.addChannels(channels, guards)
  }

  /** Signs a subscription. Returns null where the channel's guard refuses it, or the channel has no guard. */
  async authorise(me: number, session: string, connectionId: string, channel: string) {
    const info = await this.authorisation.guardOf(channel)?.(me)
    if (!info) return null
    await this.bindToUser(connectionId, me, session)
    if (!isPresence(channel)) return { auth: this.authorisation.sign(connectionId, channel) }
    const channel_data = JSON.stringify({ user_id: String(me), user_info: info === true ? {} : info })
    return { auth: this.authorisation.sign(connectionId, channel, channel_data), channel_data }
  }

  /** Signs a user in on a connection. */
  async authoriseUser(me: number, session: string, connectionId: string) {
    await this.bindToUser(connectionId, me, session)
    return signUser(this.authorisation, connectionId, me)
  }

  /** Closes the connections on which the user has signed in. */
  terminate(user: string) {
    void this.bus.publish(NO_CHANNEL, { kind: 'terminate', user })
  }

  /**
   * Tells the process that has the connection who uses it, before the client can subscribe. A process that
   * does not know the user could not end their subscriptions, so this throws where it cannot be reached.
   */
  private async bindToUser(connection: string, user: number, session: string) {
    const message: BusMessage = { kind: 'bind', connection, user, session: digestOf(session) }
    const hasLeft = await this.bus.publish(NO_CHANNEL, message)
    if (!hasLeft && !this.connections.has(connection)) throw errors.away()
  }

  /** Counts the connections of each channel that has any. */
  subscriptionCounts(selector: ChannelSelector) {
    return this.counter.count(selector)
  }

  /** Ids of the users in a presence channel. */
  memberIds(channel: string) {
    return this.channels.presence.idsOf(channel)
  }

  /** Resolves once all that was broadcast is on its way to the other processes. */
  flushed() {
    return this.bus.flushed()
  }

  /** Whether the other processes hear this one. */
  isConnected() {
    return this.bus.isConnected()
  }

  /** How many connections and channels this process has, and what it has done since it started. */
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

  /** Closes all connections with 4200. Resolves once they are closed. */
  async close() {
    this.isClosing = true
    clearInterval(this.pings)
    this.budgets.close()
    this.announcer.close()
    await this.connections.close()
    // The other processes tell who was here alone.
    if (!this.bus.otherProcesses().length) {
      this.channels.presence.flush()
      this.occupancy.flush()
    }
    await this.webhooks.close()
    await this.bus.close()
  }

  // ── Connections ───────────────────────────────────────────────────────────

  upgrade(upgrade: Upgrade) {
    const { request, socket, head } = upgrade
    this.webSockets.handleUpgrade(request, socket, head, (ws) => this.open(ws, upgrade))
  }

  private open(ws: WebSocket, upgrade: Upgrade) {
    const { connections, channels, subscriptions, bus, budgets, webhooks } = this
    const connection = new Connection(ws, upgrade, this.flusher, (closed) =>
      subscriptions.unsubscribeAll(closed),
    )
    const refusal = this.refusalOf(upgrade)
    if (refusal) return connection.close(...refusal)
    connections.add(connection)
    ws.on('close', () => connections.delete(connection))
    ws.on('ping', (data) => countMessage(connection, data.length, budgets))
    ws.on('message', (data) => {
      try {
        handleMessage(connection, data, { channels, subscriptions, bus, budgets, webhooks })
      } catch (error) {
        this.log.error({ err: error }, 'A message of a client failed')
        connection.sendError(4200, 'Invalid message')
      }
    })
    const { activityTimeout } = this.options
    connection.send('pusher:connection_established', {
      socket_id: connection.id,
      activity_timeout: activityTimeout,
    })
  }

  /** The close code and reason for a connection that is not accepted. */
  private refusalOf(upgrade: Upgrade): Refusal | null {
    if (this.isClosing) return [4200, 'The server is restarting']
    const isFull = this.connections.size >= this.options.maxConnections
    return protocolRefusal(upgrade, this.config) ?? (isFull ? [4100, 'Over capacity'] : null)
  }
}

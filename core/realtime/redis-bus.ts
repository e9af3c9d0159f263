import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { OperatorError } from '#core/config.ts'
import type { Redis } from '#core/process/redis.ts'
import type { BusHandlers, BusMessage, ProcessBus } from '#core/realtime/bus.ts'

/**
 * Redis channels over which topics are spread. A server has one: an event of a group has a topic for each
 * member, and would be published on each stream. A cluster has eight, to all of which each process
 * subscribes.
 */
const STREAMS = { server: 1, cluster: 8 }
/** Milliseconds between two heartbeats on each stream. */
const HEARTBEAT = 2000
/** Milliseconds of silence after which a process counts as ended. */
const PEER_TIMEOUT = 5 * HEARTBEAT
/** Milliseconds without its own heartbeat after which a process subscribes again. */
const ECHO_TIMEOUT = 2.5 * HEARTBEAT
/** Milliseconds until clients reconnect: several streams of a cluster usually miss messages at once. */
const MISSED_DELAY = 300

/** `count` is the number of messages that the sender has published on the stream so far. */
interface Envelope {
  from: string
  count: number
  /** `hello` asks for heartbeats and users, and tells the number of streams. `bye` is the last. */
  type: 'message' | 'heartbeat' | 'hello' | 'bye'
  message?: BusMessage
  streams?: number
  counts?: readonly number[]
}

/** A process, this one included, as far as this process knows it. */
interface Peer {
  heardAt: number
  /** Messages published on each stream. */
  counts: (number | undefined)[]
}

/** Throws OperatorError if Redis is too old. */
export async function createRedisBus(redis: Redis, log: FastifyBaseLogger): Promise<ProcessBus> {
  const bus = new RedisBus(redis, log)
  await bus.start()
  return bus
}

/**
 * Redis loses messages while a process is disconnected, and does not say so. So every envelope has a count,
 * and a receiver of too high a count knows that it missed something. It also assumes so after an interruption
 * of its own, or silence of another.
 */
class RedisBus implements ProcessBus {
  readonly processId = `${new Date().toISOString()} ${randomUUID()}`
  private readonly redis: Redis
  private readonly log: FastifyBaseLogger
  private readonly channels: readonly string[]
  /** Messages of this process on each stream. */
  private readonly published: number[]
  /** When its own last message came back on each stream. */
  private readonly echoedAt: number[]
  private readonly peers = new Map<string, Peer>()
  /** After `bye`, which events of the last requests may follow. */
  private readonly endedPeers = new Map<string, Peer>()
  private readonly leaving = new Set<Promise<boolean>>()
  private handlers: BusHandlers | null = null
  /** Before `listen` has set the handlers. */
  private readonly early: [text: string, channel: string][] = []
  private connected = true
  /** Messages may have been missed: when one of its own comes back, calls `onMissed`. */
  private wasDisconnected = false
  private missedTimer: NodeJS.Timeout | undefined
  private heartbeatTimer: NodeJS.Timeout | undefined
  private checkedAt = performance.now()

  constructor(redis: Redis, log: FastifyBaseLogger) {
    this.redis = redis
    this.log = log
    const length = redis.isCluster ? STREAMS.cluster : STREAMS.server
    this.channels = Array.from({ length }, (_, stream) => `${redis.keyPrefix}:${stream}`)
    this.published = this.channels.map(() => 0)
    this.echoedAt = this.channels.map(() => 0)
  }

  async start() {
    this.redis.onDisconnect(() => {
      this.wasDisconnected = true
    })
    await this.subscribe().catch((error: Error) => {
      throw new OperatorError(`REDIS_URL takes Redis 7 or newer, or Valkey (${error.message}).`)
    })
    await this.sendHeartbeats()
    await this.sendHello()
    this.heartbeatTimer = setInterval(() => void this.check(), HEARTBEAT).unref()
  }

  listen(handlers: BusHandlers) {
    this.handlers = handlers
    for (const [text, channel] of this.early.splice(0)) this.receive(text, channel)
  }

  publish(topic: string, message: BusMessage) {
    const left = this.send(this.streamOf(topic), message).finally(() => this.leaving.delete(left))
    this.leaving.add(left)
    return left
  }

  flushed() {
    return Promise.all(this.leaving)
  }

  streamOf(topic: string) {
    let hash = 0
    for (let index = 0; index < topic.length; index++) hash = (hash * 31 + topic.charCodeAt(index)) >>> 0
    return hash % this.channels.length
  }

  otherProcesses() {
    return [...this.peers.keys()].filter((id) => id !== this.processId)
  }

  isConnected() {
    return this.connected
  }

  async close() {
    clearInterval(this.heartbeatTimer)
    clearTimeout(this.missedTimer)
    // If it is lost, the others notice the silence.
    await this.publishEnvelope(0, { type: 'bye', counts: this.published }).catch(() => {})
  }

  private async send(stream: number, message: BusMessage) {
    const count = ++this.published[stream]!
    try {
      await this.publishEnvelope(stream, { type: 'message', message })
      return true
    } catch (error) {
      this.wasDisconnected = true
      this.log.warn({ err: error }, 'The other processes were not told')
      this.handleHere(stream, count, message)
      return false
    }
  }

  /** Unless the message came back although sending seemed to fail. */
  private handleHere(stream: number, count: number, message: BusMessage) {
    const { counts } = this.peers.get(this.processId) ?? this.addPeer(this.processId)
    if ((counts[stream] ?? 0) >= count) return
    counts[stream] = count
    this.handlers?.onMessage(message, this.processId)
  }

  private publishEnvelope(stream: number, envelope: Omit<Envelope, 'from' | 'count'>) {
    const numbered: Envelope = { from: this.processId, count: this.published[stream]!, ...envelope }
    return this.redis.publish(this.channels[stream]!, JSON.stringify(numbered))
  }

  private sendHeartbeats() {
    return Promise.allSettled(
      this.channels.map((_, stream) => this.publishEnvelope(stream, { type: 'heartbeat' })),
    )
  }

  private sendHello() {
    // `onMissed` sends another hello as soon as the connection works again.
    return this.publishEnvelope(0, { type: 'hello', streams: this.channels.length }).catch(() => {})
  }

  private subscribe() {
    return Promise.all(this.channels.map((channel) => this.redis.subscribe(channel, this.onRedisMessage)))
  }

  /** The same function for each subscription, so that subscribing again handles no message twice. */
  private readonly onRedisMessage = (text: string, channel: string) => {
    if (this.handlers) this.receive(text, channel)
    else this.early.push([text, channel])
  }

  private receive(text: string, channel: string) {
    try {
      this.handle(JSON.parse(text) as Envelope, this.channels.indexOf(channel))
    } catch (error) {
      this.log.error({ err: error }, 'A message of another process could not be handled')
    }
  }

  private handle({ from, count, type, message, streams, counts }: Envelope, stream: number) {
    const isOwn = from === this.processId
    if (isOwn) this.onEcho(stream)
    const peer = this.endedPeers.get(from) ?? this.peers.get(from) ?? this.addPeer(from)
    peer.heardAt = performance.now()
    if (type === 'bye') return this.onBye(from, peer, counts ?? [])
    const last = peer.counts[stream]
    const expected = last === undefined ? count : last + (type === 'message' ? 1 : 0)
    peer.counts[stream] = Math.max(count, last ?? 0)
    if (count > expected) this.onMissed()
    if (type === 'hello' && !isOwn) {
      this.checkStreams(streams)
      void this.sendHeartbeats()
      this.handlers!.onHello()
    }
    // `handleHere` has already handled a message whose count is too small.
    if (message && count >= expected) this.handlers!.onMessage(message, from)
  }

  private checkStreams(streams: number | undefined) {
    const own = this.channels.length
    if (streams === undefined || streams === own) return
    this.log.error(
      `Another process uses ${streams} Redis channels, and this one ${own}, so messages are lost: ` +
        'stop all processes, and start them again',
    )
  }

  private onEcho(stream: number) {
    this.echoedAt[stream] = performance.now()
    if (!this.wasDisconnected) return
    this.wasDisconnected = false
    this.onMissed()
  }

  private onBye(from: string, peer: Peer, counts: readonly number[]) {
    if (counts.some((count, stream) => count > (peer.counts[stream] ?? Number.POSITIVE_INFINITY)))
      this.onMissed()
    this.endedPeers.set(from, peer)
    this.removePeer(from)
  }

  private addPeer(id: string) {
    const peer: Peer = { heardAt: performance.now(), counts: this.channels.map(() => undefined) }
    this.peers.set(id, peer)
    if (id !== this.processId) void this.sendHello()
    return peer
  }

  private removePeer(id: string) {
    if (this.peers.delete(id) && id !== this.processId) this.handlers?.onProcessGone(id)
  }

  private onMissed() {
    if (this.missedTimer) return
    void this.sendHello()
    this.missedTimer = setTimeout(() => {
      this.missedTimer = undefined
      this.log.warn(
        'Something that other processes said was lost on the way: ' +
          'those who listen here are asked to connect again',
      )
      this.handlers?.onMissed()
    }, MISSED_DELAY).unref()
  }

  private async check() {
    const now = performance.now()
    // A process that was too busy or suspended has not read the waiting messages, so their absence means
    // nothing until the next check. If Redis drops messages meanwhile, it closes the connection, and later
    // counts show it too.
    const isLate = now - this.checkedAt > ECHO_TIMEOUT
    this.checkedAt = now
    if (!isLate) {
      this.checkConnection(now)
      this.removeSilentPeers(now)
      // If this fails, the next check tries again.
      if (this.echoedAt.some((at) => now - at > ECHO_TIMEOUT)) await this.subscribe().catch(() => {})
    }
    await this.sendHeartbeats()
  }

  private checkConnection(now: number) {
    const isConnected = this.echoedAt.every((at) => now - at < PEER_TIMEOUT)
    if (isConnected && !this.connected) this.log.info('The other processes are back')
    if (!isConnected && this.connected) this.log.error('The other processes cannot be reached')
    this.connected = isConnected
    if (!isConnected) this.wasDisconnected = true
  }

  private removeSilentPeers(now: number) {
    for (const [id, { heardAt }] of this.endedPeers)
      if (now - heardAt > PEER_TIMEOUT) this.endedPeers.delete(id)
    for (const [id, { heardAt }] of this.peers) {
      if (id === this.processId || now - heardAt <= PEER_TIMEOUT) continue
      this.removePeer(id)
      // It may have answered a client and ended before it could inform the others.
      this.onMissed()
    }
  }
}

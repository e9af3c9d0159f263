import { randomInt } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Upgrade } from '#core/realtime/connection-limits.ts'
import { encodeEvent, encodeFrame } from '#core/realtime/frames.ts'
import type { UserId } from '#core/realtime/presence.ts'

const MESSAGES_PER_SECOND = 500
const CLIENT_EVENTS_PER_SECOND = 10
/** Bytes that may wait for a client that reads too slowly, before its connection is closed. */
const MAX_QUEUED = 4 * 2 ** 20
/** Milliseconds between two flushes. */
const PAUSE = { min: 1, max: 10 }

/** The user for whom a subscription of the connection was authorised. `session` is a digest. */
export interface ConnectionUser {
  id: number
  session: string
}

export interface Subscription {
  /** The user's id in a presence channel, null in any other channel. */
  userId: UserId | null
  /** The members of a presence channel whom the user may not see; null where nobody is hidden. */
  hidden: ReadonlySet<number> | null
}

/** Frames and the same bytes in one buffer. */
interface Batch {
  frames: readonly Buffer[]
  bytes: Buffer
}

/** One WebSocket: who uses it, what it is subscribed to, and the frames that wait to be written. */
export class Connection {
  readonly id = `${randomInt(1e9)}.${randomInt(1e9)}`
  /** Null until a subscription was authorised for somebody. */
  user: ConnectionUser | null = null
  /** The user of `pusher:signin`. */
  signedInAs: string | null = null
  readonly subscriptions = new Map<string, Subscription>()
  /** Channels whose guard has not answered yet, each with the latest request. */
  readonly pending = new Map<string, symbol>()
  private lastSeenAt = performance.now()
  private isPinged = false
  /** The network that the client is in. */
  readonly address: string
  private readonly ws: WebSocket
  private readonly socket: Duplex
  private readonly flusher: Flusher
  private readonly onClose: (connection: Connection) => void
  private queue: Buffer[] = []
  private queuedBytes = 0
  /** The point in time, in whole seconds, for which the two counters below count. */
  private second = 0
  private messages = 0
  private clientEvents = 0

  /** `onClose` runs as soon as the connection is closed by either side, and may run twice. */
  constructor(
    ws: WebSocket,
    { socket, address }: Pick<Upgrade, 'socket' | 'address'>,
    flusher: Flusher,
    onClose: (connection: Connection) => void,
  ) {
    this.address = address
    this.ws = ws
    this.socket = socket
    this.flusher = flusher
    this.onClose = onClose
    ws.on('error', () => {}) // a broken frame or socket: `close` follows
    for (const event of ['ping', 'pong'] as const) ws.on(event, () => this.touch())
    ws.on('closing', () => onClose(this))
    ws.on('close', () => {
      flusher.delete(this)
      onClose(this)
    })
  }

  /** The user's id, or 0 for a visitor: the viewer, as `Audience` knows them. */
  get viewer() {
    return this.user?.id ?? 0
  }

  get isOpen() {
    return this.ws.readyState === this.ws.OPEN
  }

  /** Notes that the client is alive. */
  touch() {
    this.lastSeenAt = performance.now()
    this.isPinged = false
  }

  /** Pings a client that has been silent for `pingAfter` ms, and closes after `closeAfter` ms. */
  checkAlive(pingAfter: number, closeAfter: number) {
    const silence = performance.now() - this.lastSeenAt
    if (silence > closeAfter) return this.close(4201, 'Pong reply not received in time')
    if (silence <= pingAfter || this.isPinged) return
    this.isPinged = true
    this.send('pusher:ping', {})
  }

  /** Counts a message of the client. Returns false where there are too many in this second. */
  countMessage() {
    const second = Math.floor(this.lastSeenAt / 1000)
    if (second !== this.second) {
      this.second = second
      this.messages = 0
      this.clientEvents = 0
    }
    return ++this.messages <= MESSAGES_PER_SECOND
  }

  /** Counts a client event, which `countMessage` has counted as a message. */
  countClientEvent() {
    return ++this.clientEvents <= CLIENT_EVENTS_PER_SECOND
  }

  send(event: string, data: object, channel?: string) {
    this.enqueue(encodeFrame(channel, encodeEvent(event, JSON.stringify(data))))
  }

  sendError(code: number, message: string) {
    this.send('pusher:error', { code, message })
  }

  /** Queues a frame for the next flush. */
  enqueue(frame: Buffer) {
    if (!this.isOpen) return
    if (this.queuedBytes + this.socket.writableLength > MAX_QUEUED) return this.drop()
    this.flusher.add(this)
    this.queue.push(frame)
    this.queuedBytes += frame.length
  }

  /**
   * Writes the queue. It bypasses `ws`, which would build the frame again for each connection. `last` is the
   * batch of the connection before this one: connections to the same channel mostly have the same frames in
   * their queues, so they share the joined bytes.
   */
  flush(last?: Batch): Batch {
    const frames = this.queue
    this.queue = []
    this.queuedBytes = 0
    this.flusher.deliveries += frames.length
    const batch = last && hasSameFrames(frames, last.frames) ? last : toBatch(frames)
    if (frames.length && this.isOpen) this.socket.write(batch.bytes)
    return batch
  }

  /** Sends an error and closes. A client that does not answer the close frame is cut off by `ws`. */
  close(code: number, message: string) {
    if (!this.isOpen) return
    this.sendError(code, message)
    this.flush()
    this.ws.close(code, message)
    this.onClose(this)
  }

  /** Resolves once both sides have closed. */
  closed() {
    return new Promise((resolve) => this.ws.once('close', resolve))
  }

  /** Closes a connection that reads too slowly, and forgets its queue. */
  private drop() {
    this.flusher.dropped++
    this.queue = []
    this.ws.close(4100, 'Too slow')
    this.onClose(this)
  }
}

/**
 * Writes the queues of all connections together: at the end of a turn of the event loop, or after a pause.
 * The pause lasts as long as the last flush took. Under load, frames that come during the pause share one
 * `write`.
 */
export class Flusher {
  /** Frames that were written, and connections that were closed because they read too slowly. */
  deliveries = 0
  dropped = 0
  private readonly connections = new Set<Connection>()
  /** When the pause ends, by `performance.now()`. */
  private pausedUntil = 0

  add(connection: Connection) {
    if (!this.connections.size) this.schedule()
    this.connections.add(connection)
  }

  delete(connection: Connection) {
    this.connections.delete(connection)
  }

  private schedule() {
    const wait = this.pausedUntil - performance.now()
    if (wait > 0) setTimeout(() => this.flush(), wait)
    else setImmediate(() => this.flush())
  }

  private flush() {
    const start = performance.now()
    const connections = [...this.connections]
    this.connections.clear()
    let batch: Batch | undefined
    for (const connection of connections) batch = connection.flush(batch)
    const end = performance.now()
    this.pausedUntil = end + Math.min(Math.max(end - start, PAUSE.min), PAUSE.max)
  }
}

const toBatch = (frames: readonly Buffer[]): Batch => ({
  frames,
  bytes: frames.length === 1 ? frames[0]! : Buffer.concat(frames),
})

const hasSameFrames = (a: readonly Buffer[], b: readonly Buffer[]) =>
  a.length === b.length && a.every((frame, index) => frame === b[index])

import { randomInt } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { countForMember, type Upgrade } from '#core/realtime/connection-limits.ts'
import { encodeEvent, encodeFrame } from '#core/realtime/frames.ts'
import type { PresenceUserId } from '#core/realtime/presence.ts'

const FRAMES_PER_SECOND = 500
const CLIENT_EVENTS_PER_SECOND = 10
/** Bytes that may wait for a slow client before its connection is closed. */
const MAX_QUEUED = 4 * 2 ** 20
/** Milliseconds between two flushes. */
const PAUSE = { min: 1, max: 10 }
/** Milliseconds in which a client that is cut off can read the close frame before its socket is destroyed. */
const CUT_TIMEOUT = 1000

/** The user for whom a subscription or sign-in was authorised. `session` is the digest of the token. */
export interface ConnectionUser {
  id: number
  session: string
}

export interface Subscription {
  /** Null in a channel without presence. */
  userId: PresenceUserId | null
  /** Null if nobody is hidden. */
  hidden: ReadonlySet<number> | null
  /** Null in a channel that does not show only peers, and until the peers have been read. */
  peers: readonly number[] | null
}

/** Frames that one connection has written, and the same bytes joined. */
interface Batch {
  frames: readonly Buffer[]
  bytes: Buffer
}

export class Connection {
  readonly id = `${randomInt(1e9)}.${randomInt(1e9)}`
  /** Null until a subscription or sign-in was authorised for a user. */
  user: ConnectionUser | null = null
  /** By `pusher:signin`; null before that. */
  signedInAs: string | null = null
  readonly subscriptions = new Map<string, Subscription>()
  /** Channels whose guard has not answered, each with a symbol of the latest request to subscribe. */
  readonly pending = new Map<string, symbol>()
  /** For each channel about which guards are asked, a symbol of the newest ask. */
  readonly newestAsks = new Map<string, symbol>()
  /** Public channels that wait until the connection is bound to a member, or everyone may read again. */
  readonly waiting = new Set<string>()
  /** Channels in which an event was hidden because the connection was not bound to a user. */
  readonly missedAsVisitor = new Set<string>()
  private lastSeenAt = performance.now()
  private isPinged = false
  readonly address: string
  /** From the cookies of the upgrade; null for a visitor. */
  readonly member: number | null
  private readonly ws: WebSocket
  private readonly socket: Duplex
  private readonly flusher: FrameFlusher
  private readonly onClose: (connection: Connection) => void
  private queue: Buffer[] = []
  private queuedBytes = 0
  /** By `performance.now()`; `frames` and `clientEvents` count for it. */
  private second = 0
  private frames = 0
  private clientEvents = 0

  /** `onClose` runs as soon as either side closes, and may run twice. */
  constructor(
    ws: WebSocket,
    { socket, address, member }: Pick<Upgrade, 'socket' | 'address' | 'member'>,
    flusher: FrameFlusher,
    onClose: (connection: Connection) => void,
  ) {
    this.address = address
    this.member = member
    this.ws = ws
    this.socket = socket
    this.flusher = flusher
    this.onClose = onClose
    // The event `close` follows the error of a broken frame or socket.
    ws.on('error', () => {})
    for (const event of ['ping', 'pong'] as const) ws.on(event, () => this.touch())
    ws.on('closing', () => onClose(this))
    ws.on('close', () => {
      flusher.delete(this)
      onClose(this)
    })
  }

  /** 0 for a visitor, as in `VisibilityRules`. */
  get viewer() {
    return this.user?.id ?? 0
  }

  get isOpen() {
    return this.ws.readyState === this.ws.OPEN
  }

  /** From now on the connection counts in the limits of the user. */
  bindTo(user: ConnectionUser) {
    if ((this.user?.id ?? this.member) !== user.id) countForMember(this.socket, user.id)
    this.user = user
  }

  touch() {
    this.lastSeenAt = performance.now()
    this.isPinged = false
  }

  /** Milliseconds of silence until a ping, and until the connection is closed. */
  checkAlive(pingAfter: number, closeAfter: number) {
    const silence = performance.now() - this.lastSeenAt
    if (silence > closeAfter) return this.close(4201, 'Pong reply not received in time')
    if (silence <= pingAfter || this.isPinged) return
    this.isPinged = true
    this.send('pusher:ping', {})
  }

  /** False if the client has sent too many in this second. */
  countFrames(count: number) {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.second) {
      this.second = second
      this.frames = 0
      this.clientEvents = 0
    }
    this.frames += count
    return this.frames <= FRAMES_PER_SECOND
  }

  /** In addition to `countFrames`. False if the client has sent too many in this second. */
  countClientEvent() {
    return ++this.clientEvents <= CLIENT_EVENTS_PER_SECOND
  }

  send(event: string, data: object, channel?: string) {
    this.enqueue(encodeFrame(channel, encodeEvent(event, JSON.stringify(data))))
  }

  sendError(code: number, message: string) {
    this.send('pusher:error', { code, message })
  }

  /** `status` is an HTTP status. */
  refuse(channel: string, status: number, error: string) {
    const type = status === 429 ? 'LimitReached' : 'AuthError'
    this.send('pusher:subscription_error', { type, error, status }, channel)
  }

  /** Closes the connection instead if too many bytes already wait. Returns whether the frame was queued. */
  enqueue(frame: Buffer) {
    if (!this.isOpen) return false
    if (this.queuedBytes + this.socket.writableLength > MAX_QUEUED) {
      this.closeSlow()
      return false
    }
    this.flusher.add(this)
    this.queue.push(frame)
    this.queuedBytes += frame.length
    return true
  }

  /**
   * Writes the queue without `ws`, which would build each frame again for each connection. Connections to one
   * channel mostly have the same frames, so they share the joined bytes of `last`.
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

  /** `ws` terminates a client that does not answer the close frame. */
  close(code: number, message: string) {
    if (!this.isOpen) return
    this.sendError(code, message)
    this.flush()
    this.ws.close(code, message)
    this.onClose(this)
  }

  /**
   * Reads nothing more, not even the close frame. The socket is destroyed only after `CUT_TIMEOUT`: a reset
   * because of unread bytes would keep a sending client from reading the close code.
   */
  cut(code: number, message: string) {
    this.close(code, message)
    this.socket.pause()
    this.socket.end()
    setTimeout(() => this.socket.destroy(), CUT_TIMEOUT).unref()
  }

  /** Resolves once both sides have closed, or `ws` has terminated the connection. */
  closed() {
    return new Promise((resolve) => this.ws.once('close', resolve))
  }

  private closeSlow() {
    this.flusher.dropped++
    this.queue = []
    this.ws.close(4100, 'Too slow')
    this.onClose(this)
  }
}

/**
 * Writes all queues together: at the end of a turn of the event loop, or after a pause as long as the last
 * flush (1 to 10 ms). Under load, frames that arrive meanwhile share one `write`.
 */
export class FrameFlusher {
  /** Frames written. */
  deliveries = 0
  /** Connections closed because their clients were too slow. */
  dropped = 0
  private readonly connections = new Set<Connection>()
  /** By `performance.now()`. */
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

/** Also those about which a guard is being asked. */
export const listRequested = ({ subscriptions, pending }: Connection) => [
  ...subscriptions.keys(),
  ...pending.keys(),
]

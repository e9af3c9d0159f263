import { randomInt } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { countWebSocketFor, type WebSocketUpgradeWithinLimits } from '#core/realtime/connection-limits.ts'
import { encodeEventWithoutChannel, encodeWebSocketFrameWithChannel } from '#core/realtime/frames.ts'
import type { PresenceUserId } from '#core/realtime/presence.ts'

const FRAMES_PER_SECOND = 500
const CLIENT_EVENTS_PER_SECOND = 10
/** The maximum number of bytes that may wait for a slow client before its connection is closed. */
const MAX_QUEUED = 4 * 2 ** 20
/** The shortest and the longest pause between two flushes, in milliseconds. */
const PAUSE = { min: 1, max: 10 }
/**
 * Milliseconds between the close frame to a client that is cut off and the destruction of its socket. In
 * this time the client can read the frame.
 */
const CUT_TIMEOUT = 1000

/**
 * The user to whom a connection is bound, because a subscription or a sign-in on it was authorised for this
 * user. `session` is the digest of the session token.
 */
export interface WebSocketUserIdAndSessionDigest {
  id: number
  session: string
}

export interface ChannelSubscriptionPresenceData {
  /** The user's id in a presence channel, null in any other channel. */
  userId: PresenceUserId | null
  /** The members of a presence channel whom the user may not see; null if nobody is hidden. */
  hidden: ReadonlySet<number> | null
  /**
   * In a presence channel that shows only peers: the peers of the user. Null in any other channel, and until
   * the peers have been read.
   */
  peers: readonly number[] | null
}

/** Frames that one connection has written, and the same frames joined in one buffer. */
interface Batch {
  frames: readonly Buffer[]
  bytes: Buffer
}

/** One WebSocket: its user, its subscriptions, and the frames that wait to be written. */
export class WebSocketConnection {
  readonly id = `${randomInt(1e9)}.${randomInt(1e9)}`
  /**
   * The user to whom the connection is bound; null until a subscription or a sign-in was authorised for a
   * user.
   */
  user: WebSocketUserIdAndSessionDigest | null = null
  /** The id of the user who has signed in with `pusher:signin`; null before that. */
  signedInAs: string | null = null
  readonly subscriptions = new Map<string, ChannelSubscriptionPresenceData>()
  /**
   * Channels whose guard has not answered yet, each with a symbol that identifies the latest request to
   * subscribe.
   */
  readonly pending = new Map<string, symbol>()
  /** For each channel about which guards are being asked, the symbol that identifies the newest ask. */
  readonly newestAsks = new Map<string, symbol>()
  /**
   * The public channels to which the client wants to subscribe in a members-only community. The connection is
   * subscribed to them when it is bound to a member, or when everyone may read again.
   */
  readonly waiting = new Set<string>()
  /** The channels in which an event was hidden from this connection because it was not bound to a user. */
  readonly missedAsVisitor = new Set<string>()
  private lastSeenAt = performance.now()
  private isPinged = false
  /** The network of the client's IP address. */
  readonly address: string
  /** The id of the member whose cookies came with the upgrade; null for a visitor. */
  readonly member: number | null
  private readonly ws: WebSocket
  private readonly socket: Duplex
  private readonly flusher: WebSocketFrameFlusher
  private readonly onClose: (connection: WebSocketConnection) => void
  private queue: Buffer[] = []
  private queuedBytes = 0
  /** The second, by `performance.now()`, for which `frames` and `clientEvents` count. */
  private second = 0
  private frames = 0
  private clientEvents = 0

  /** `onClose` runs as soon as the connection is closed by either side, and may run twice. */
  constructor(
    ws: WebSocket,
    { socket, address, member }: Pick<WebSocketUpgradeWithinLimits, 'socket' | 'address' | 'member'>,
    flusher: WebSocketFrameFlusher,
    onClose: (connection: WebSocketConnection) => void,
  ) {
    this.address = address
    this.member = member
    this.ws = ws
    this.socket = socket
    this.flusher = flusher
    this.onClose = onClose
    // Ignores the error of a broken frame or socket, because the event `close` follows.
    ws.on('error', () => {})
    for (const event of ['ping', 'pong'] as const) ws.on(event, () => this.touch())
    ws.on('closing', () => onClose(this))
    ws.on('close', () => {
      flusher.delete(this)
      onClose(this)
    })
  }

  /** The viewer id for `RealtimeVisibilityRules`, which is the user's id, or 0 for a visitor. */
  get viewer() {
    return this.user?.id ?? 0
  }

  get isOpen() {
    return this.ws.readyState === this.ws.OPEN
  }

  /** Binds the connection to a user, for whom it counts in the limits from now on. */
  bindTo(user: WebSocketUserIdAndSessionDigest) {
    if ((this.user?.id ?? this.member) !== user.id) countWebSocketFor(this.socket, user.id)
    this.user = user
  }

  /** Records that the client has sent something now, so that it is not pinged or closed for silence. */
  touch() {
    this.lastSeenAt = performance.now()
    this.isPinged = false
  }

  /**
   * Pings a client that has been silent for `pingAfter` ms. Closes the connection after `closeAfter` ms of
   * silence.
   */
  checkAlive(pingAfter: number, closeAfter: number) {
    const silence = performance.now() - this.lastSeenAt
    if (silence > closeAfter) return this.close(4201, 'Pong reply not received in time')
    if (silence <= pingAfter || this.isPinged) return
    this.isPinged = true
    this.send('pusher:ping', {})
  }

  /** Counts frames of the client. Returns false if the client has sent too many in this second. */
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

  /**
   * Counts a client event, in addition to `countFrames`. Returns false if the client has sent too many in
   * this second.
   */
  countClientEvent() {
    return ++this.clientEvents <= CLIENT_EVENTS_PER_SECOND
  }

  send(event: string, data: object, channel?: string) {
    this.enqueue(
      encodeWebSocketFrameWithChannel(channel, encodeEventWithoutChannel(event, JSON.stringify(data))),
    )
  }

  sendError(code: number, message: string) {
    this.send('pusher:error', { code, message })
  }

  /** Tells the client that it is not subscribed to a channel. `status` is an HTTP status. */
  refuse(channel: string, status: number, error: string) {
    const type = status === 429 ? 'LimitReached' : 'AuthError'
    this.send('pusher:subscription_error', { type, error, status }, channel)
  }

  /**
   * Queues a frame for the next flush. Closes the connection instead if too many bytes already wait for the
   * client. Returns whether the frame was queued.
   */
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
   * Writes the queued frames to the socket, and returns them as a batch. Does not use `ws`, which would
   * build the frame again for each connection. `last` is the batch of the connection that was flushed
   * before this one: connections to the same channel mostly have the same frames in their queues, so they
   * share the joined bytes.
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

  /**
   * Sends an error and closes the connection. `ws` terminates a client that does not answer the close frame.
   */
  close(code: number, message: string) {
    if (!this.isOpen) return
    this.sendError(code, message)
    this.flush()
    this.ws.close(code, message)
    this.onClose(this)
  }

  /**
   * Closes the connection, and reads nothing more, not even the client's close frame. Destroys the socket
   * only after `CUT_TIMEOUT`. Otherwise the system would reset the connection because of the unread bytes,
   * and a client that is sending would not read the close code.
   */
  cut(code: number, message: string) {
    this.close(code, message)
    this.socket.pause()
    this.socket.end()
    setTimeout(() => this.socket.destroy(), CUT_TIMEOUT).unref()
  }

  /**
   * Resolves once the connection is completely closed, either by both sides or because `ws` has terminated
   * it.
   */
  closed() {
    return new Promise((resolve) => this.ws.once('close', resolve))
  }

  /** Closes the connection of a slow client, and clears its queue. */
  private closeSlow() {
    this.flusher.dropped++
    this.queue = []
    this.ws.close(4100, 'Too slow')
    this.onClose(this)
  }
}

/**
 * Writes the queues of all connections together: at the end of a turn of the event loop, or after a pause
 * that lasts as long as the last flush (1 to 10 ms). Under load, frames that arrive during the pause share
 * one `write`.
 */
export class WebSocketFrameFlusher {
  /** The number of frames that were written. */
  deliveries = 0
  /** The number of connections that were closed because their clients were too slow. */
  dropped = 0
  private readonly connections = new Set<WebSocketConnection>()
  /** The time at which the pause ends, by `performance.now()`. */
  private pausedUntil = 0

  add(connection: WebSocketConnection) {
    if (!this.connections.size) this.schedule()
    this.connections.add(connection)
  }

  delete(connection: WebSocketConnection) {
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

/** Returns the channels to which the connection is subscribed, or about which a guard is being asked. */
export const listRequestedChannelNames = ({ subscriptions, pending }: WebSocketConnection) => [
  ...subscriptions.keys(),
  ...pending.keys(),
]

import type { Duplex } from 'node:stream'
import type { WebSocketConnection } from '#core/realtime/connection.ts'
import type { RealtimeTokenBuckets } from '#core/realtime/token-buckets.ts'

const NO_BYTES = Buffer.alloc(0)

/**
 * Counts each read of a WebSocket's TCP socket towards the limits of the connection, its member and its
 * address, before `ws` parses the read. Beyond a limit, drops this read and all later ones, and cuts the
 * connection off. Counting costs much less than parsing: a read of 64 kB may have 10,000 frames, and `ws`
 * cannot stop inside a read. A read without a new frame counts as one frame. This function must be called
 * after `ws` has added its own listener to the socket.
 */
export function limitIncomingWebSocketFrames(
  socket: Duplex,
  connection: WebSocketConnection,
  tokenBuckets: RealtimeTokenBuckets,
) {
  const countFrames = createWebSocketFrameCounter()
  let isCut = false
  function charge(chunk: Buffer) {
    const frames = Math.max(1, countFrames(chunk))
    const isWithin = connection.countFrames(frames) && tokenBuckets.consume('frames', connection, frames)
    return isWithin && tokenBuckets.consume('bytes', connection, chunk.length)
  }
  const [parse] = socket.listeners('data') as [(chunk: Buffer) => void]
  const parseUnlessCut = (chunk: Buffer) => {
    if (!isCut) parse.call(socket, chunk)
  }
  socket.removeListener('data', parse)
  // Adds a listener that counts all reads towards the limits of frames and bytes. It also counts the reads
  // after a close frame or an invalid frame, when `ws` has stopped parsing.
  socket.on('data', (chunk: Buffer) => {
    if (isCut || charge(chunk)) return
    isCut = true
    connection.cut(4100, 'Too many messages')
  })
  // Adds `parseUnlessCut` in place of the parser. `ws` stops parsing by removing its listener `parse`. With
  // the property `listener`, Node then removes `parseUnlessCut`, as it removes the wrappers that `once` adds.
  socket.on('data', Object.assign(parseUnlessCut, { listener: parse }))
  // If the connection was cut off, discards the bytes that wait in the socket when the socket closes.
  // Otherwise `ws` would parse them.
  socket.prependListener('close', () => {
    if (isCut) socket.read()
  })
}

/** Returns a function that counts the frames whose headers end in a chunk (RFC 6455, 5.2). */
export function createWebSocketFrameCounter() {
  /** The number of bytes of the current frame that have not arrived. */
  let missing = 0
  /** The first bytes of a frame header that has not arrived completely. */
  let partial = NO_BYTES
  return (chunk: Buffer) => {
    const bytes = partial.length ? Buffer.concat([partial, chunk]) : chunk
    partial = NO_BYTES
    let frames = 0
    let start = missing
    while (start < bytes.length) {
      const size = frameSize(bytes, start)
      if (size === null) {
        partial = Buffer.from(bytes.subarray(start))
        missing = 0
        return frames
      }
      frames++
      start += size
    }
    missing = start - bytes.length
    return frames
  }
}

/**
 * Returns the size of the frame that begins at `start`; null if `bytes` does not contain its whole length
 * field.
 */
function frameSize(bytes: Buffer, start: number) {
  if (bytes.length < start + 2) return null
  const second = bytes[start + 1]!
  const mask = second & 0x80 ? 4 : 0
  const length = second & 0x7f
  if (length < 126) return 2 + mask + length
  if (length === 126) return bytes.length < start + 4 ? null : 4 + mask + bytes.readUInt16BE(start + 2)
  if (bytes.length < start + 10) return null
  return 10 + mask + Number(bytes.readBigUInt64BE(start + 2))
}

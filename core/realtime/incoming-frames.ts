import type { Duplex } from 'node:stream'
import type { Connection } from '#core/realtime/connection.ts'
import type { TokenBuckets } from '#core/realtime/token-buckets.ts'

const NO_BYTES = Buffer.alloc(0)

/**
 * Counts each read of the TCP socket towards the limits before `ws` parses it; beyond a limit, drops it and
 * all later reads and cuts the connection off. Counting costs much less than parsing: a read of 64 kB may
 * have 10,000 frames, and `ws` cannot stop inside it. A read without a new frame counts as one. To be called
 * after `ws` has added its own listener.
 */
export function limitFrames(socket: Duplex, connection: Connection, tokenBuckets: TokenBuckets) {
  const countFrames = frameCounter()
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
  // Also counts the reads after a close frame or an invalid one, when `ws` has stopped parsing.
  socket.on('data', (chunk: Buffer) => {
    if (isCut || charge(chunk)) return
    isCut = true
    connection.cut(4100, 'Too many messages')
  })
  // `ws` stops parsing by removing its listener `parse`. By the property `listener`, Node then removes
  // `parseUnlessCut`, as it removes the wrappers of `once`.
  socket.on('data', Object.assign(parseUnlessCut, { listener: parse }))
  // Otherwise `ws` would parse the bytes that wait in the socket of a connection that was cut off.
  socket.prependListener('close', () => {
    if (isCut) socket.read()
  })
}

/** Counts the frames whose headers end in a chunk (RFC 6455, 5.2). */
export function frameCounter() {
  /** Bytes of the current frame that have not arrived. */
  let missing = 0
  /** A frame header that has not arrived completely. */
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

/** Null if `bytes` does not contain the whole length field. */
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

import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'

// Functions that encode and decode WebSocket frames (RFC 6455, section 5), including invalid ones.

export const TEXT_OPCODE = 1
export const BINARY_OPCODE = 2
export const CLOSE_OPCODE = 8
export const PING_OPCODE = 9
export const PONG_OPCODE = 10

export interface FrameFields {
  opcode: number
  payload?: string | Buffer
  fin?: boolean
  /** The three reserved bits of the frame (RSV1, RSV2, RSV3), as a number from 0 to 7. */
  reserved?: number
  masked?: boolean
  /**
   * The number of additional bytes that contain the payload length of the frame. Default: as few as possible.
   */
  lengthBytes?: 2 | 8
}

export function encodeFrame({
  opcode,
  payload = '',
  fin = true,
  reserved = 0,
  masked = true,
  lengthBytes,
}: FrameFields) {
  const data: Buffer = typeof payload === 'string' ? Buffer.from(payload) : payload
  const size = lengthBytes ?? (data.length < 126 ? 0 : data.length < 65_536 ? 2 : 8)
  const head = Buffer.alloc(2 + size)
  head[0] = (fin ? 0x80 : 0) | (reserved << 4) | opcode
  head[1] = (masked ? 0x80 : 0) | (size === 0 ? data.length : size === 2 ? 126 : 127)
  if (size === 2) head.writeUInt16BE(data.length, 2)
  if (size === 8) head.writeBigUInt64BE(BigInt(data.length), 2)
  if (!masked) return Buffer.concat([head, data])
  const mask = randomBytes(4)
  return Buffer.concat([head, mask, data.map((byte, index) => byte ^ mask[index % 4]!)])
}

/**
 * Returns the complete frames in the bytes that a server has sent. Ignores an incomplete frame at the end.
 * Fails if a frame is masked, because a server must not mask its frames.
 */
export function decodeFrames(bytes: Buffer) {
  const frames: { opcode: number; fin: boolean; reserved: number; payload: Buffer }[] = []
  let rest = bytes
  while (rest.length >= 2) {
    expect(rest[1]! & 0x80, 'a server does not mask (5.1)').toBe(0)
    const short = rest[1]! & 0x7f
    const start = short < 126 ? 2 : short === 126 ? 4 : 10
    if (rest.length < start) break
    const size = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2))
    if (rest.length < start + size) break
    const [first] = rest
    const payload = rest.subarray(start, start + size)
    frames.push({ opcode: first! & 15, fin: first! > 127, reserved: (first! >> 4) & 7, payload })
    rest = rest.subarray(start + size)
  }
  return frames
}

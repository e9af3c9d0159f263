import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import type { Connection } from '#core/realtime/connection.ts'
import { frameCounter, limitFrames } from '#core/realtime/incoming-frames.ts'
import type { TokenBuckets } from '#core/realtime/token-buckets.ts'
import {
  encodeFrame,
  type FrameFields,
  PING_OPCODE,
  PONG_OPCODE,
  TEXT_OPCODE,
} from '#tests/websocket-frames.ts'

const frames: FrameFields[] = [
  { opcode: TEXT_OPCODE },
  { opcode: PONG_OPCODE, payload: 'x' },
  { opcode: TEXT_OPCODE, payload: 'x'.repeat(125) },
  { opcode: PING_OPCODE, masked: false },
  { opcode: TEXT_OPCODE, payload: 'x'.repeat(126), fin: false },
  { opcode: 0, payload: 'x'.repeat(300), lengthBytes: 8 },
  { opcode: TEXT_OPCODE, payload: 'x'.repeat(66_000) },
  { opcode: 0 },
]
const bytes = Buffer.concat(frames.map((frame) => encodeFrame(frame)))

test.each([1, 2, 3, 5, 7, 11, 130, 1000, bytes.length])('counts the frames in reads of %i bytes', (size) => {
  const countFrames = frameCounter()
  let count = 0
  for (let start = 0; start < bytes.length; start += size)
    count += countFrames(bytes.subarray(start, start + size))
  expect(count).toBe(frames.length)
})

test('passes no read beyond a limit to `ws`, and counts after `ws` has stopped parsing', () => {
  const socket = new PassThrough()
  const [parse, cut, consume] = [vi.fn(), vi.fn(), vi.fn(() => true)]
  const connection = { countFrames: (count: number) => count <= 2, cut } as unknown as Connection
  socket.on('data', parse)
  limitFrames(socket, connection, { consume } as unknown as TokenBuckets)
  const pong = encodeFrame({ opcode: PONG_OPCODE })
  socket.emit('data', Buffer.concat([pong, pong]))
  expect(parse).toHaveBeenCalledTimes(1)
  expect(consume.mock.calls).toEqual([
    ['frames', connection, 2],
    ['bytes', connection, 12],
  ])
  socket.emit('data', Buffer.concat([pong, pong, pong]))
  socket.emit('data', pong)
  expect(parse).toHaveBeenCalledTimes(1)
  expect(cut).toHaveBeenCalledExactlyOnceWith(4100, 'Too many messages')
  socket.removeListener('data', parse)
  expect(socket.listenerCount('data'), 'only the function that counts').toBe(1)
})

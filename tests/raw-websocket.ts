import { connect as dialPort } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import {
  CLOSE_OPCODE,
  decodeFrames,
  encodeFrame,
  type FrameFields,
  TEXT_OPCODE,
} from '#tests/websocket-frames.ts'

/**
 * The value of the header Sec-WebSocket-Key in the handshakes of tests, from the example of RFC 6455, section
 * 1.3.
 */
export const WEBSOCKET_KEY = 'dGhlIHNhbXBsZSBub25jZQ=='

/** Returns the text of a WebSocket handshake request. Headers with the value null are left out. */
export function rawHandshake(
  serverUrl: string,
  more: Record<string, string | null> = {},
  line = 'GET /app/engawa?protocol=7 HTTP/1.1',
) {
  const headers: Record<string, string | null> = {
    Host: new URL(serverUrl).host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': WEBSOCKET_KEY,
    ...more,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  )
  return `${[line, ...lines].join('\r\n')}\r\n\r\n`
}

/** Opens a TCP connection to the server, and sends a WebSocket handshake. Does not wait for the response. */
export function startHandshake(serverUrl: string, handshake = rawHandshake(serverUrl)) {
  const socket = dialPort(Number(new URL(serverUrl).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  let bytes = Buffer.alloc(0)
  let ended = false
  socket.on('data', (data: Buffer) => (bytes = Buffer.concat([bytes, data])))
  socket.on('end', () => (ended = true)).on('close', () => (ended = true))
  socket.write(handshake)
  const head = () => bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 4)
  return {
    socket,
    answer: async () => {
      await eventually(() => expect(bytes.includes('\r\n\r\n')).toBe(true))
      return head().toString()
    },
    frames: () => decodeFrames(bytes.subarray(head().length)),
    ended: () => expect.poll(() => ended).toBe(true),
  }
}

/**
 * Opens a WebSocket connection, and resolves when the server has accepted the handshake and sent its first
 * message.
 */
export async function openRawSocket(serverUrl: string) {
  const client = startHandshake(serverUrl)
  expect(await client.answer()).toMatch(/^HTTP\/1\.1 101 /)
  await eventually(() => expect(client.frames().length).toBe(1))
  const send = (...frames: FrameFields[]) =>
    client.socket.write(Buffer.concat(frames.map((frame) => encodeFrame(frame))))
  const received = (opcode: number) => client.frames().filter((frame) => frame.opcode === opcode)
  return {
    ...client,
    send,
    received,
    /** Expects that the connection still works: sends a Pusher ping and waits for the server's pong. */
    async expectAlive() {
      const before = received(TEXT_OPCODE).length
      send({ opcode: TEXT_OPCODE, payload: '{"event":"pusher:ping","data":{}}' })
      await eventually(() => expect(received(TEXT_OPCODE).length).toBe(before + 1))
      expect(received(TEXT_OPCODE).at(-1)!.payload.toString()).toContain('pusher:pong')
    },
    async expectClosed(code: number) {
      await client.ended()
      const [close] = received(CLOSE_OPCODE)
      expect(close?.payload.readUInt16BE(0)).toBe(code)
    },
  }
}

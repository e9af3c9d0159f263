import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deep } from '#tests/deep.ts'
import { eventually } from '#tests/eventually.ts'
import {
  expectCalm,
  openSocket,
  RAW_HOST,
  rawServer,
  rawStatuses,
  sendRaw,
  startRaw,
} from '#tests/raw-http.ts'
import { axiosVisitor } from '#tests/sanctum.ts'
import { connectSubscribed } from '#tests/sockets.ts'

beforeAll(startRaw)
afterEach(expectCalm)

describe('a socket', () => {
  const handshake = (more = '', path = '/app/engawa?protocol=7') =>
    `GET ${path} HTTP/1.1\r\n${RAW_HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n${more || 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'}\r\n`

  test.each<[string, string]>([
    ['without a key', handshake('Sec-WebSocket-Version: 13\r\n')],
    ['with a bad key', handshake('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n')],
    [
      'with another version',
      handshake('Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'),
    ],
    [
      'with bad extensions',
      handshake(
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ,,\r\n',
      ),
    ],
    ['at an invalid path', handshake('', '/app/%ff/..//?protocol=7')],
    ['with the URL of another server', handshake('', 'http://[/app/engawa')],
    ['with POST', handshake().replace('GET', 'POST')],
    ['with another protocol', handshake().replace('websocket', 'smoke-signals')],
  ])('that is opened %s is refused', async (_, bytes) => {
    // Reads only the first status line, because the server may keep the connection open: it treats an upgrade
    // to an unknown protocol as a normal request.
    const [status] = rawStatuses(await sendRaw(bytes, /HTTP\/1\.1 \d+ /))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })

  /** Encodes a WebSocket frame (RFC 6455, section 5.2), which may be invalid on purpose. */
  function frame(
    first: number,
    payload: Buffer | string,
    { masked = true, length = Buffer.byteLength(payload) } = {},
  ) {
    const size =
      length < 126
        ? [length]
        : length < 65_536
          ? [126, length >> 8, length & 255]
          : [127, 0, 0, 0, 0, ...new Uint8Array(Uint32Array.of(length).buffer).toReversed()]
    size[0]! |= masked ? 0x80 : 0
    return Buffer.concat([
      Buffer.from([first, ...size, ...(masked ? [0, 0, 0, 0] : [])]),
      Buffer.from(payload),
    ])
  }
  const large = Buffer.alloc(70_000, 'x')

  test.each<[string, Buffer[], number]>([
    ['an unknown opcode', [frame(0x83, 'x')], 1002],
    ['reserved bits', [frame(0xf1, 'x')], 1002],
    ['an unmasked frame', [frame(0x81, 'x', { masked: false })], 1002],
    ['a frame that is too large', [frame(0x81, large)], 1009],
    ['a header that announces too many bytes', [frame(0x81, 'x', { length: 2 ** 31 })], 1009],
    [
      'fragments that are too large together',
      [frame(0x01, large.subarray(0, 40_000)), frame(0x80, large.subarray(0, 40_000))],
      1009,
    ],
    ['a fragmented ping', [frame(0x09, 'x')], 1002],
    ['a ping that is too long', [frame(0x89, 'x'.repeat(126))], 1002],
    ['a continuation frame without a first frame', [frame(0x80, 'x')], 1002],
    ['a new message inside a fragmented one', [frame(0x01, 'x'), frame(0x81, 'x')], 1002],
    ['text that is not UTF-8', [frame(0x81, Buffer.from([0xff, 0xfe, 0xc0]))], 1007],
    ['a close frame with one byte', [frame(0x88, 'x')], 1002],
    ['a close frame with an invalid code', [frame(0x88, Buffer.from([0, 1]))], 1002],
    ['a close frame whose reason is not UTF-8', [frame(0x88, Buffer.from([0x03, 0xe8, 0xff, 0xff]))], 1007],
  ])('that sends %s is closed with the matching code', async (_, frames, code) => {
    const socket = openSocket()
    const received: Buffer[] = []
    socket.on('data', (data) => received.push(Buffer.from(data)))
    socket.write(handshake())
    await eventually(() => expect(String(Buffer.concat(received))).toContain('connection_established'))
    const before = Buffer.concat(received).length
    for (const one of frames) socket.write(one)
    await once(socket, 'close')
    const last = Buffer.concat(received).subarray(before)
    expect([last[0], last.readUInt16BE(2)]).toEqual([0x88, code])
  })

  test('that never reads takes bounded memory, and the others receive everything', {
    timeout: 240_000,
  }, async () => {
    const page = await connectSubscribed(rawServer.url, 'posts')
    const stuck = await Promise.all(
      Array.from({ length: 20 }, () => connectSubscribed(rawServer.url, 'chat')),
    )
    for (const { raw } of stuck) raw().pause()
    const other = await connectSubscribed(rawServer.url, 'chat')
    const before = memory()
    const message = 'x'.repeat(1000)
    const guest = axiosVisitor(rawServer.url)
    await guest.csrf()
    const count = deep ? 6000 : 1500
    for (let sent = 0; sent < count; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => guest.http.post('/api/send-message', { message })))
    await expect.poll(() => other.received('MessageSent').length, { timeout: 60_000 }).toBe(count)
    expect(memory() - before, 'megabytes').toBeLessThan(300)
    await page.sync()
    for (const { ws } of stuck) ws.terminate()
  })

  /** Returns the resident memory of the server process in megabytes. */
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${rawServer.pid}/status`, 'utf8'))![1]) / 1024
})

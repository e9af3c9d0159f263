import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { visitor } from '#tests/sanctum.ts'
import { listener } from '#tests/sockets.ts'
import { dial, HOST, said, server, statuses } from '#tests/wire.ts'

describe('a socket', () => {
  const handshake = (more = '', path = '/app/engawa?protocol=7') =>
    `GET ${path} HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n${more || 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'}\r\n`

  test.each<[string, string]>([
    ['without a key', handshake('Sec-WebSocket-Version: 13\r\n')],
    ['with a bad key', handshake('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n')],
    [
      'of another version',
      handshake('Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'),
    ],
    [
      'with bad extensions',
      handshake(
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ,,\r\n',
      ),
    ],
    ['at a bad address', handshake('', '/app/%ff/..//?protocol=7')],
    ['at another server', handshake('', 'http://[/app/engawa')],
    ['as a POST', handshake().replace('GET', 'POST')],
    ['to something else', handshake().replace('websocket', 'smoke-signals')],
  ])('that is opened %s is refused', async (_, bytes) => {
    // An upgrade to another protocol is a request like any other, whose connection stays.
    const [status] = statuses(await said(bytes, /HTTP\/1\.1 \d+ /))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })

  /** A frame as RFC 6455 (5.2) has it, with any of its rules broken. */
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
  const bigger = Buffer.alloc(70_000, 'x')

  test.each<[string, Buffer[], number]>([
    ['an opcode nobody knows', [frame(0x83, 'x')], 1002],
    ['reserved bits', [frame(0xf1, 'x')], 1002],
    ['no mask', [frame(0x81, 'x', { masked: false })], 1002],
    ['more than it may', [frame(0x81, bigger)], 1009],
    ['that it says more than it may', [frame(0x81, 'x', { length: 2 ** 31 })], 1009],
    [
      'more than it may in parts',
      [frame(0x01, bigger.subarray(0, 40_000)), frame(0x80, bigger.subarray(0, 40_000))],
      1009,
    ],
    ['a ping in parts', [frame(0x09, 'x')], 1002],
    ['a ping that is too long', [frame(0x89, 'x'.repeat(126))], 1002],
    ['the rest of nothing', [frame(0x80, 'x')], 1002],
    ['a beginning within a beginning', [frame(0x01, 'x'), frame(0x81, 'x')], 1002],
    ['bytes that are no UTF-8', [frame(0x81, Buffer.from([0xff, 0xfe, 0xc0]))], 1007],
    ['a goodbye of one byte', [frame(0x88, 'x')], 1002],
    ['a goodbye for a reason that is none', [frame(0x88, Buffer.from([0, 1]))], 1002],
    ['a goodbye that is no UTF-8', [frame(0x88, Buffer.from([0x03, 0xe8, 0xff, 0xff]))], 1007],
  ])('that says %s is closed with the reason', async (_, frames, code) => {
    const socket = dial()
    const heard: Buffer[] = []
    socket.on('data', (data) => heard.push(Buffer.from(data)))
    socket.write(handshake())
    await expect.poll(() => String(Buffer.concat(heard))).toContain('connection_established')
    const before = Buffer.concat(heard).length
    for (const one of frames) socket.write(one)
    await once(socket, 'close')
    const last = Buffer.concat(heard).subarray(before)
    expect([last[0], last.readUInt16BE(2)]).toEqual([0x88, code])
  })

  test('that never reads is let go, in bounded memory, and the others hear everything', async () => {
    const page = await listener(server.url, 'posts')
    const deaf = await Promise.all(Array.from({ length: 20 }, () => listener(server.url, 'chat')))
    for (const { raw } of deaf) raw().pause()
    const other = await listener(server.url, 'chat')
    const before = memory()
    const message = 'x'.repeat(1000)
    const guest = visitor(server.url)
    await guest.csrf()
    for (let sent = 0; sent < 6000; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => guest.http.post('/api/send-message', { message })))
    await expect.poll(() => other.heard('MessageSent').length, { timeout: 20_000 }).toBe(6000)
    expect(memory() - before, 'megabytes').toBeLessThan(300)
    await page.sync()
    for (const { ws } of deaf) ws.terminate()
  })

  /** The memory of the server, in megabytes. */
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024
})

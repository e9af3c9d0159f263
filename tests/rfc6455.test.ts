import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { openRawSocket, rawHandshake, startHandshake, WEBSOCKET_KEY } from '#tests/raw-websocket.ts'
import { type RunningServer, startServer } from '#tests/server.ts'
import {
  BINARY_OPCODE,
  CLOSE_OPCODE,
  encodeFrame,
  type FrameFields,
  PING_OPCODE,
  PONG_OPCODE,
  TEXT_OPCODE,
} from '#tests/websocket-frames.ts'

// Tests RFC 6455 with raw bytes on a real port. The titles of the tests name the sections of the RFC.

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off' })
  return async () => {
    expect(server.logs()).not.toMatch(/"level":(50|60)/)
    await server.stop()
  }
})

const request = (more?: Record<string, string | null>, line?: string) => rawHandshake(server.url, more, line)
const dial = (handshake?: string) => startHandshake(server.url, handshake)
const open = () => openRawSocket(server.url)

const ping = '{"event":"pusher:ping","data":{}}'

describe('the handshake (4.2)', () => {
  test('is answered with the hash of the key', async () => {
    const answer = await dial().answer()
    const accept = createHash('sha1')
      .update(`${WEBSOCKET_KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    expect(answer).toContain(`Sec-WebSocket-Accept: ${accept}`)
    expect(answer).not.toMatch(/sec-websocket-extensions|sec-websocket-protocol/i)
  })

  test.each([
    ['another version', { 'Sec-WebSocket-Version': '12' }, /^HTTP\/1\.1 4(00|26) /],
    ['no version', { 'Sec-WebSocket-Version': null }, /^HTTP\/1\.1 4(00|26) /],
    ['no key', { 'Sec-WebSocket-Key': null }, /^HTTP\/1\.1 400 /],
    ['a key that is too short', { 'Sec-WebSocket-Key': 'AAAA' }, /^HTTP\/1\.1 400 /],
  ])('is refused with %s', async (_, headers, status) => {
    expect(await dial(request(headers)).answer()).toMatch(status)
  })

  test('is a GET', async () => {
    const client = dial(request({ 'Content-Length': '0' }, 'POST /app/engawa?protocol=7 HTTP/1.1'))
    expect(await client.answer()).toMatch(/^HTTP\/1\.1 4\d\d /)
  })

  test('offers no extension where the client asks for compression', async () => {
    const client = dial(request({ 'Sec-WebSocket-Extensions': 'permessage-deflate' }))
    expect(await client.answer()).not.toMatch(/sec-websocket-extensions/i)
  })
})

describe('frames (5)', () => {
  test.each([0, 1, 125, 126, 127, 65_535, 65_536])('with %i bytes of payload', async (size) => {
    const client = await open()
    // Sends a Pusher ping that is padded to `size` bytes, or a shorter text, which is not a Pusher message
    // and gets a Pusher error.
    client.send({
      opcode: TEXT_OPCODE,
      payload: size < ping.length ? 'x'.repeat(size) : ping.padEnd(size),
    })
    await eventually(() => expect(client.received(TEXT_OPCODE).length).toBe(2))
    expect(client.received(TEXT_OPCODE)[1]!.payload.toString()).toMatch(/pusher:(pong|error)/)
  })

  test('arrive byte by byte', async () => {
    const client = await open()
    for (const byte of encodeFrame({ opcode: TEXT_OPCODE, payload: ping })) {
      client.socket.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await eventually(() => expect(client.received(TEXT_OPCODE).length).toBe(2))
  })

  test('that are not masked end the connection (5.1)', async () => {
    const client = await open()
    client.send({ opcode: TEXT_OPCODE, payload: ping, masked: false })
    await client.expectClosed(1002)
  })

  test.each([1, 2, 4, 7])('with reserved bits %i end the connection (5.2)', async (reserved) => {
    const client = await open()
    client.send({ opcode: TEXT_OPCODE, payload: ping, reserved })
    await client.expectClosed(1002)
  })

  test.each([3, 7, 11, 15])('with the reserved opcode %i end the connection (5.2)', async (opcode) => {
    const client = await open()
    client.send({ opcode })
    await client.expectClosed(1002)
  })

  test('that are too large end the connection, before they have arrived (7.4.1)', async () => {
    const client = await open()
    const [head] = [encodeFrame({ opcode: TEXT_OPCODE, payload: 'x'.repeat(65_537) }).subarray(0, 20)]
    client.socket.write(head!)
    await client.expectClosed(1009)
  })

  test('that claim more than 2^53 bytes end the connection', async () => {
    const client = await open()
    client.socket.write(Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]))
    await client.expectClosed(1009)
  })
})

describe('fragments (5.4)', () => {
  test('make one message, with pings between them', async () => {
    const client = await open()
    client.send(
      { opcode: TEXT_OPCODE, payload: ping.slice(0, 9), fin: false },
      { opcode: PING_OPCODE, payload: 'between' },
      { opcode: 0, payload: ping.slice(9, 20), fin: false },
      { opcode: 0, payload: '', fin: false },
      { opcode: 0, payload: ping.slice(20) },
    )
    await eventually(() => expect(client.received(TEXT_OPCODE).length).toBe(2))
    expect(client.received(PONG_OPCODE).map(({ payload }) => payload.toString())).toEqual(['between'])
  })

  test.each<[string, FrameFields[]]>([
    ['a continuation of nothing', [{ opcode: 0, payload: 'x' }]],
    ['a message inside of a message', [{ opcode: TEXT_OPCODE, fin: false }, { opcode: TEXT_OPCODE }]],
    ['a ping in fragments', [{ opcode: PING_OPCODE, fin: false }]],
    ['a close in fragments', [{ opcode: CLOSE_OPCODE, fin: false }]],
  ])('end the connection where they are %s', async (_, frames) => {
    const client = await open()
    client.send(...frames)
    await client.expectClosed(1002)
  })

  test('that are too large together end the connection', async () => {
    const client = await open()
    client.send({ opcode: TEXT_OPCODE, payload: 'x'.repeat(40_000), fin: false })
    client.send({ opcode: 0, payload: 'x'.repeat(40_000) })
    await client.expectClosed(1009)
  })
})

describe('control frames (5.5)', () => {
  test.each(['', 'x', 'x'.repeat(125)])('a ping is answered with its payload', async (payload) => {
    const client = await open()
    client.send({ opcode: PING_OPCODE, payload })
    await eventually(() => expect(client.received(PONG_OPCODE).length).toBe(1))
    expect(client.received(PONG_OPCODE)[0]!.payload.toString()).toBe(payload)
  })

  test('a pong that nobody asked for is ignored', async () => {
    const client = await open()
    client.send({ opcode: PONG_OPCODE, payload: 'x' })
    await client.expectAlive()
  })

  test.each([PING_OPCODE, PONG_OPCODE, CLOSE_OPCODE])(
    'opcode %i with more than 125 bytes ends the connection',
    async (opcode) => {
      const client = await open()
      client.send({ opcode, payload: Buffer.alloc(126, 3), lengthBytes: 2 })
      await client.expectClosed(1002)
    },
  )
})

describe('closing (7)', () => {
  const status = (code: number, reason = '') => {
    const bytes = Buffer.alloc(2)
    bytes.writeUInt16BE(code)
    return Buffer.concat([bytes, Buffer.from(reason)])
  }

  test.each([1000, 1001, 1003, 1007, 1011, 3000, 3999, 4000, 4999])(
    'with %i is answered with the same code',
    async (code) => {
      const client = await open()
      client.send({ opcode: CLOSE_OPCODE, payload: status(code, 'さようなら') })
      await client.expectClosed(code)
    },
  )

  test('without a code is answered without one', async () => {
    const client = await open()
    client.send({ opcode: CLOSE_OPCODE })
    await client.ended()
    expect(client.received(CLOSE_OPCODE)[0]!.payload).toHaveLength(0)
  })

  test.each([0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535])(
    'with %i is an error',
    async (code) => {
      const client = await open()
      client.send({ opcode: CLOSE_OPCODE, payload: status(code) })
      await client.expectClosed(1002)
    },
  )

  test('with one byte is an error, and a reason that is no UTF-8 is another', async () => {
    const [short, odd] = [await open(), await open()]
    short.send({ opcode: CLOSE_OPCODE, payload: 'x' })
    await short.expectClosed(1002)
    odd.send({
      opcode: CLOSE_OPCODE,
      payload: Buffer.concat([status(1000), Buffer.from([0xc3, 0x28])]),
    })
    await odd.expectClosed(1007)
  })

  test('ends the connection: later frames are not answered', async () => {
    const client = await open()
    client.send(
      { opcode: CLOSE_OPCODE, payload: status(1000) },
      { opcode: TEXT_OPCODE, payload: ping },
      { opcode: PING_OPCODE },
    )
    await client.expectClosed(1000)
    expect([client.received(TEXT_OPCODE).length, client.received(PONG_OPCODE).length]).toEqual([1, 0])
  })
})

describe('text (8.1)', () => {
  test.each([
    ['a lone continuation byte', [0x80]],
    ['a cut-off character', [0xe3, 0x81]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ])('ends the connection with 1007 where it is no UTF-8: %s', async (_, bytes) => {
    const client = await open()
    client.send({ opcode: TEXT_OPCODE, payload: Buffer.from(bytes) })
    await client.expectClosed(1007)
  })

  test('may have a character that is split across two fragments', async () => {
    const client = await open()
    const bytes = Buffer.from('{"event":"pusher:ping","data":"縁側"}')
    client.send({ opcode: TEXT_OPCODE, payload: bytes.subarray(0, 32), fin: false })
    client.send({ opcode: 0, payload: bytes.subarray(32) })
    await eventually(() => expect(client.received(TEXT_OPCODE).length).toBe(2))
    expect(client.received(TEXT_OPCODE)[1]!.payload.toString()).toContain('pusher:pong')
  })

  test('in a binary message may be invalid: it gets a Pusher error, and the connection stays open', async () => {
    const client = await open()
    client.send({ opcode: BINARY_OPCODE, payload: Buffer.from([0xff, 0xfe]) })
    await eventually(() => expect(client.received(TEXT_OPCODE).length).toBe(2))
    expect(client.received(TEXT_OPCODE)[1]!.payload.toString()).toContain('pusher:error')
    await client.expectAlive()
  })
})

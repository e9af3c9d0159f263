import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import axios from 'axios'
import Publisher from 'pusher'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  expectCalm,
  fetchRaw,
  openSocket,
  RAW_HOST,
  rawMember,
  rawServer,
  rawStatuses,
  sendRaw,
  startRaw,
} from '#tests/raw-http.ts'
import { realtimeApp } from '#tests/sockets.ts'

beforeAll(startRaw)
afterEach(expectCalm)

describe('an invalid HTTP request', () => {
  test.each<[string, string]>([
    ['a line that is no request', 'hello\r\n\r\n'],
    ['random bytes', `${randomBytes(400).toString('latin1').replaceAll('\n', ' ')}\r\n\r\n`],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['a request line without a path', `GET\r\n${RAW_HOST}\r\n`],
    ['an unknown HTTP version', `GET / HTTP/9.9\r\n${RAW_HOST}\r\n`],
    ['HTTP/2 without negotiation', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', `FETCH / HTTP/1.1\r\n${RAW_HOST}\r\n`],
    ['a header without a name', `GET / HTTP/1.1\r\n${RAW_HOST}: x\r\n\r\n`],
    ['a header with a line break', `GET / HTTP/1.1\r\n${RAW_HOST}X: a\rb\r\n\r\n`],
    ['a header with a NUL', `GET / HTTP/1.1\r\n${RAW_HOST}X: a\0b\r\n\r\n`],
    ['a space before the colon', `GET / HTTP/1.1\r\n${RAW_HOST}Content-Length : 3\r\n\r\n`],
    [
      'two content lengths',
      `POST /login HTTP/1.1\r\n${RAW_HOST}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
    ],
    ['a negative content length', `POST /login HTTP/1.1\r\n${RAW_HOST}Content-Length: -1\r\n\r\n`],
    ['a hexadecimal content length', `POST /login HTTP/1.1\r\n${RAW_HOST}Content-Length: 0x10\r\n\r\n`],
    [
      'a content length followed by chunked encoding',
      `POST /login HTTP/1.1\r\n${RAW_HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n${RAW_HOST}\r\n`,
    ],
    [
      'chunked encoding followed by a content length',
      `POST /login HTTP/1.1\r\n${RAW_HOST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a transfer coding after chunked',
      `POST /login HTTP/1.1\r\n${RAW_HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    [
      'an unknown transfer coding',
      `POST /login HTTP/1.1\r\n${RAW_HOST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'an invalid chunk size',
      `POST /login HTTP/1.1\r\n${RAW_HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'a chunk size that is too large',
      `POST /login HTTP/1.1\r\n${RAW_HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`,
    ],
    ['no Host header', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ])('%s is rejected, and the connection is closed', async (_, bytes) => {
    const answer = await sendRaw(bytes)
    const [first, ...more] = rawStatuses(answer)
    expect(first, answer).toBeGreaterThanOrEqual(400)
    expect(first, answer).toBeLessThan(500)
    expect(more, 'no second response to a smuggled request').toEqual([])
    expect(answer).not.toMatch(/node:|\.ts\b|HPE_/)
  })
})

describe('an unusual HTTP request', () => {
  test('is rejected when its headers or its URL are too large', async () => {
    for (const more of [
      `X: ${'x'.repeat(20_000)}\r\n`,
      `Cookie: ${'a=b; '.repeat(5000)}\r\n`,
      'X: y\r\n'.repeat(4000),
    ])
      expect(rawStatuses(await fetchRaw('/healthz', more))).toEqual([431])
    expect(rawStatuses(await fetchRaw(`/api/posts?q=${'x'.repeat(20_000)}`))).toEqual([431])
  })

  test.each<[string, string, number[]]>([
    ['the URL of another server', 'http://evil.example/api/user', [401, 404]],
    ['no leading slash', 'api/user', [400, 404]],
    ['a star', '*', [200, 400, 404]],
    ['an invalid percent encoding', '/api/posts/%zz', [404]],
    ['bytes that are not UTF-8', '/api/posts/%ff%fe', [404]],
    ['a NUL', '/media/%00.webp', [404]],
    ['a NUL in the path of a page', '/posts/%00', [404, 422]],
    ['dot segments', '/../../etc/passwd', [404]],
    ['encoded dots', '/%2e%2e/%2e%2e/etc/passwd', [404]],
    ['dots encoded twice', '/media/%252e%252e%252fsecret', [404]],
    ['encoded slashes', '/media/..%2f..%2fsecret', [404]],
    ['dots and backslashes', '/media/..\\..\\secret', [404]],
    ['encoded dots and backslashes', '/assets/%2e%2e%5csecret', [404]],
    ['dots and a path parameter', '/media/..;/secret', [404]],
    ['the absolute path of a system file', '/media//etc/passwd', [404]],
    ['an alternate data stream of Windows', '/media/secret::$DATA', [404]],
    ['a folder', '/media/', [404]],
    ['a hidden file', '/.env', [404]],
    ['ten thousand characters', `/api/posts/${'x'.repeat(10_000)}`, [404, 414, 422]],
    ['a thousand folders', `${'/a'.repeat(1000)}`, [404]],
  ])('by a path with %s finds nothing', async (_, path, allowed) => {
    const answer = await fetchRaw(path)
    expect(allowed, answer).toContain(rawStatuses(answer)[0])
    expect(answer).not.toMatch(/root:|SQLite format|node:|\/tmp\//)
  })

  test.each<[string, string]>([
    ['two Host headers', `${RAW_HOST}`],
    ['invalid cookies', `Cookie: ===; engawa_session=%; lang=%ff; theme="; XSRF-TOKEN\r\n`],
    ['an invalid Accept-Language', `Accept-Language: ;q=,${'en;q=x,'.repeat(500)}\r\n`],
    ['an invalid Range', 'Range: bytes=9-1,--,x\r\n'],
    ['an invalid Accept-Encoding', 'Accept-Encoding: br;q=2, *;q=-1, ;;\r\n'],
    [
      'invalid X-Forwarded headers',
      'X-Forwarded-For: ::::\r\nX-Forwarded-Proto: javascript\r\nX-Forwarded-Host: a b\r\n',
    ],
    ['an unknown Expect', 'Expect: the-unexpected\r\n'],
    ['X-HTTP-Method-Override', 'X-HTTP-Method-Override: DELETE\r\n'],
    [
      'an upgrade to h2c',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
    ],
  ])('with %s is answered', async (_, header) => {
    for (const path of ['/api/posts', '/', '/healthz']) {
      const [status] = rawStatuses(await fetchRaw(path, `Accept: text/html\r\n${header}`))
      expect([200, 400, 404, 416, 417]).toContain(status)
    }
  })

  test('that is followed by others, and then by garbage, ends with an error response', async () => {
    const answer = await sendRaw(`${`GET /healthz HTTP/1.1\r\n${RAW_HOST}\r\n`.repeat(30)}garbage\r\n\r\n`)
    const given = rawStatuses(answer)
    expect(given.at(-1)).toBe(400)
    expect(given.slice(0, -1).every((status) => status === 200)).toBe(true)
  })

  test('for a tunnel (CONNECT) is rejected', async () => {
    expect(
      rawStatuses(await sendRaw(`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${RAW_HOST}\r\n`)).every(
        (status) => status >= 400,
      ),
    ).toBe(true)
  })
})

describe('a client that', () => {
  const login = (length: number, body = '') =>
    `POST /login HTTP/1.1\r\n${RAW_HOST}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`

  test('disconnects during headers, body or response leaves nothing behind', async () => {
    const incomplete = [
      '',
      'GET /heal',
      `GET /healthz HTTP/1.1\r\nHo`,
      login(1000, '{"email":'),
      `GET /api/posts HTTP/1.1\r\n${RAW_HOST}\r\n`,
    ]
    const form = `POST /api/posts HTTP/1.1\r\n${RAW_HOST}Cookie: ${rawMember.cookieHeader()}\r\nX-XSRF-TOKEN: ${decodeURIComponent(rawMember.token()!.value)}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\nContent-Disposition: form-data; name="images[]"; filename="a.png"\r\n\r\n\x89PNG`
    for (const start of [...incomplete, form])
      for (const how of ['destroy', 'resetAndDestroy'] as const) {
        const socket = openSocket()
        await once(socket, 'connect')
        await new Promise<void>((written) =>
          socket.write(Buffer.from(start || ' ', 'latin1'), () => written()),
        )
        socket[how]()
      }
    await expect.poll(() => readdir(join(rawServer.folder, 'scratch')), { timeout: 10_000 }).toEqual([])
  })

  test('opens five hundred silent connections does not block others', async () => {
    const idle = Array.from({ length: 500 }, openSocket)
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    for (const socket of idle) socket.write('GET / HT')
    expect((await axios.get(`${rawServer.url}/api/posts`)).status).toBe(200)
    expect((await rawMember.http.post('/api/profile', { name: 'Ana' })).status).toBe(200)
    for (const socket of idle) socket.destroy()
  })
})

describe('a client that is slow', () => {
  test('gets a 408 for slow headers or a slow body, while others are served', async () => {
    const { app, url, config } = await realtimeApp()
    // Expects the default timeouts of the server. Then shortens them for this test.
    expect(app.server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 300_000,
      maxConnections: 25_000,
    })
    Object.assign(app.server, { headersTimeout: 200, requestTimeout: 400 })
    // Signs the request, because the server reads the body of a request to this path only if its signature is
    // valid.
    const path = '/apps/engawa/events'
    const options = { appId: 'engawa', key: 'engawa', secret: config.PUSHER_APP_SECRET, host: 'x' }
    const query = new Publisher(options).createSignedQueryString({ method: 'POST', path, body: 'x' })
    const slow = [
      'GET /healthz HTTP/1.1\r\nX: ',
      `POST ${path}?${query} HTTP/1.1\r\n${RAW_HOST}Content-Length: 1000\r\n\r\n{`,
    ]
    const lines = slow.map((start) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(start)
      const drip = setInterval(() => socket.write('a'), 50)
      return once(socket, 'data').then(([data]: unknown[]) => {
        clearInterval(drip)
        socket.destroy()
        return String(data)
      })
    })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    for (const answer of await Promise.all(lines)) {
      expect(rawStatuses(answer)).toEqual([408])
      expect(answer).toContain('{"message":"The request took too long to arrive."}')
    }
  })
})

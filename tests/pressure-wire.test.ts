import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import axios from 'axios'
import { describe, expect, test } from 'vitest'
import { createTestServer } from '#tests/sockets.ts'
import { ana, asked, dial, HOST, said, server, statuses } from '#tests/wire.ts'

describe('a request that is none', () => {
  test.each<[string, string]>([
    ['a word', 'hello\r\n\r\n'],
    ['bytes', `${randomBytes(400).toString('latin1').replaceAll('\n', ' ')}\r\n\r\n`],
    ['a hello of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['a line without a path', `GET\r\n${HOST}\r\n`],
    ['a version of its own', `GET / HTTP/9.9\r\n${HOST}\r\n`],
    ['HTTP/2 without agreement', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a method of its own', `FETCH / HTTP/1.1\r\n${HOST}\r\n`],
    ['a header without a name', `GET / HTTP/1.1\r\n${HOST}: x\r\n\r\n`],
    ['a header with a line break inside', `GET / HTTP/1.1\r\n${HOST}X: a\rb\r\n\r\n`],
    ['a header with a NUL', `GET / HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`],
    ['a space before the colon', `GET / HTTP/1.1\r\n${HOST}Content-Length : 3\r\n\r\n`],
    ['two lengths', `POST /login HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
    ['a length below nothing', `POST /login HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
    ['a length that is no number', `POST /login HTTP/1.1\r\n${HOST}Content-Length: 0x10\r\n\r\n`],
    [
      'a length and chunks',
      `POST /login HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n${HOST}\r\n`,
    ],
    [
      'chunks and a length',
      `POST /login HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a coding that hides chunks',
      `POST /login HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    ['a coding nobody knows', `POST /login HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    [
      'a chunk whose size is no number',
      `POST /login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'a chunk of more than there is room for',
      `POST /login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`,
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ])('%s is refused, and the line is cut', async (_, bytes) => {
    const answer = await said(bytes)
    const [first, ...more] = statuses(answer)
    expect(first, answer).toBeGreaterThanOrEqual(400)
    expect(first, answer).toBeLessThan(500)
    expect(more, 'nothing was smuggled in behind it').toEqual([])
    expect(answer).not.toMatch(/node:|\.ts\b|HPE_/)
  })
})

describe('a request that is strange', () => {
  test('by its headers is refused where they are too large', async () => {
    for (const more of [
      `X: ${'x'.repeat(20_000)}\r\n`,
      `Cookie: ${'a=b; '.repeat(5000)}\r\n`,
      'X: y\r\n'.repeat(4000),
    ])
      expect(statuses(await asked('/healthz', more))).toEqual([431])
    expect(statuses(await asked(`/api/posts?q=${'x'.repeat(20_000)}`))).toEqual([431])
  })

  test.each<[string, string, number[]]>([
    ['an address of another server', 'http://evil.example/api/user', [401, 404]],
    ['no slash', 'api/user', [400, 404]],
    ['a star', '*', [200, 400, 404]],
    ['percent signs that mean nothing', '/api/posts/%zz', [404]],
    ['bytes that are no UTF-8', '/api/posts/%ff%fe', [404]],
    ['a NUL', '/media/%00.webp', [404]],
    ['a NUL in a page', '/posts/%00', [404, 422]],
    ['dots', '/../../etc/passwd', [404]],
    ['coded dots', '/%2e%2e/%2e%2e/etc/passwd', [404]],
    ['dots coded twice', '/media/%252e%252e%252fsecret', [404]],
    ['dots in a folder of files', '/media/..%2f..%2fsecret', [404]],
    ['dots and backslashes', '/media/..\\..\\secret', [404]],
    ['dots and coded backslashes', '/assets/%2e%2e%5csecret', [404]],
    ['dots with parameters', '/media/..;/secret', [404]],
    ['a file of the system', '/media//etc/passwd', [404]],
    ['a stream of a file', '/media/secret::$DATA', [404]],
    ['a folder', '/media/', [404]],
    ['a hidden file', '/.env', [404]],
    ['ten thousand letters', `/api/posts/${'x'.repeat(10_000)}`, [404, 414, 422]],
    ['a thousand folders', `${'/a'.repeat(1000)}`, [404]],
  ])('by a path with %s finds nothing', async (_, path, allowed) => {
    const answer = await asked(path)
    expect(allowed, answer).toContain(statuses(answer)[0])
    expect(answer).not.toMatch(/root:|SQLite format|node:|\/tmp\//)
  })

  test.each<[string, string]>([
    ['two hosts', `${HOST}`],
    ['a cookie of garbage', `Cookie: ===; engawa_session=%; lang=%ff; theme="; XSRF-TOKEN\r\n`],
    ['a language of garbage', `Accept-Language: ;q=,${'en;q=x,'.repeat(500)}\r\n`],
    ['a range of garbage', 'Range: bytes=9-1,--,x\r\n'],
    ['a coding of garbage', 'Accept-Encoding: br;q=2, *;q=-1, ;;\r\n'],
    [
      'a forwarded address of garbage',
      'X-Forwarded-For: ::::\r\nX-Forwarded-Proto: javascript\r\nX-Forwarded-Host: a b\r\n',
    ],
    ['another expectation', 'Expect: the-unexpected\r\n'],
    ['a method to be taken instead', 'X-HTTP-Method-Override: DELETE\r\n'],
    [
      'an agreement to HTTP/2',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
    ],
  ])('with %s is answered', async (_, header) => {
    for (const path of ['/api/posts', '/', '/healthz']) {
      const [status] = statuses(await asked(path, `Accept: text/html\r\n${header}`))
      expect([200, 400, 404, 416, 417]).toContain(status)
    }
  })

  test('that is followed by others, and by garbage, ends with a refusal', async () => {
    const answer = await said(`${`GET /healthz HTTP/1.1\r\n${HOST}\r\n`.repeat(30)}garbage\r\n\r\n`)
    const given = statuses(answer)
    expect(given.at(-1)).toBe(400)
    expect(given.slice(0, -1).every((status) => status === 200)).toBe(true)
  })

  test('to be a tunnel is not', async () => {
    expect(
      statuses(await said(`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`)).every((status) => status >= 400),
    ).toBe(true)
  })
})

describe('a client that', () => {
  const login = (length: number, body = '') =>
    `POST /login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`

  test('goes in the middle of its headers, its body or the answer leaves nothing', async () => {
    const halves = [
      '',
      'GET /heal',
      `GET /healthz HTTP/1.1\r\nHo`,
      login(1000, '{"email":'),
      `GET /api/posts HTTP/1.1\r\n${HOST}\r\n`,
    ]
    const form = `POST /api/posts HTTP/1.1\r\n${HOST}Cookie: ${ana.cookieHeader()}\r\nX-XSRF-TOKEN: ${decodeURIComponent(ana.token()!.value)}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\nContent-Disposition: form-data; name="images[]"; filename="a.png"\r\n\r\n\x89PNG`
    for (const half of [...halves, form])
      for (const how of ['destroy', 'resetAndDestroy'] as const) {
        const socket = dial()
        await once(socket, 'connect')
        await new Promise<void>((written) =>
          socket.write(Buffer.from(half || ' ', 'latin1'), () => written()),
        )
        socket[how]()
      }
    await expect.poll(() => readdir(join(server.folder, 'scratch')), { timeout: 10_000 }).toEqual([])
  })

  test('opens five hundred lines and says nothing keeps nobody out', async () => {
    const idle = Array.from({ length: 500 }, dial)
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    for (const socket of idle) socket.write('GET / HT')
    expect((await axios.get(`${server.url}/api/posts`)).status).toBe(200)
    expect((await ana.http.post('/api/profile', { name: 'Ana' })).status).toBe(200)
    for (const socket of idle) socket.destroy()
  })
})

describe('a client that is slow', () => {
  test('with its headers, or its body, is told so in the end, while others are served', async () => {
    const { app, url } = await createTestServer()
    // As in the real one, only less patient.
    expect(app.server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 300_000,
      maxConnections: 25_000,
    })
    Object.assign(app.server, { headersTimeout: 200, requestTimeout: 400 })
    const slow = [
      'GET /healthz HTTP/1.1\r\nX: ',
      `POST /apps/engawa/events HTTP/1.1\r\n${HOST}Content-Length: 1000\r\n\r\n{`,
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
      expect(statuses(answer)).toEqual([408])
      expect(answer).toContain('{"message":"The request took too long to arrive."}')
    }
  })
})

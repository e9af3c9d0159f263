import { describe, expect, test } from 'vitest'
import { ana, ask, dial, server, whileServed } from '#tests/hostile.ts'
import { expectInvalid, expectRefused, form } from '#tests/sanctum.ts'

const MEGABYTE = 2 ** 20
const FORM = 'content-type: application/x-www-form-urlencoded\r\n'
const head = (line: string, more: string) => `${line} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`
const cookies = () => {
  const token = decodeURIComponent(ana.token()!.value)
  return `cookie: ${ana.cookieHeader()}\r\nx-xsrf-token: ${token}\r\n`
}

/** The status that each route answers to a form of one megabyte. None of them accepts a form. */
const refused = [
  ['POST /', 405],
  ['POST /no/such/path', 404],
  ['PUT /api/no-such-call', 404],
  ['PATCH /api/posts', 405],
  ['DELETE /api/posts', 405],
  ['POST /media/x.webp', 405],
  ['POST /assets/x.js', 405],
  ['OPTIONS /api/posts', 405],
  ['POST /healthz', 405],
] as const
/** Calls that answer 413 or 415 to a member who sends such a form. */
const tooLarge = [
  'POST /login',
  'POST /api/register',
  'POST /api/send-message',
  'POST /api/posts',
  'POST /api/profile',
  'POST /my-broadcast-auth',
  'POST /broadcasting/auth',
  'PUT /api/posts/1/like',
]

describe('a visitor who sends a megabyte', () => {
  test.each(refused)('to %s is refused before the body is read', async (line, status) => {
    const answer = await whileServed(() => ask(head(line, `${FORM}content-length: ${MEGABYTE}\r\n`)))
    expect(answer.status).toBe(status)
    expect(answer.head).toMatch(/\r\nconnection: close/i)
    const chunked = await ask(head(line, `${FORM}transfer-encoding: chunked\r\n`))
    expect(chunked.status).toBe(status)
    expect(chunked.head).toMatch(/\r\nconnection: close/i)
  })

  test.each(tooLarge)('to %s as a member is refused before the body is read', async (line) => {
    const answer = await ask(head(line, `${cookies()}${FORM}content-length: ${MEGABYTE}\r\n`))
    expect([413, 415]).toContain(answer.status)
    const json = `content-type: application/json\r\ncontent-length: ${MEGABYTE}\r\n`
    expect((await ask(head(line, cookies() + json))).status).toBe(413)
  })

  test('as the pieces of a form stops nobody, ten times at once', async () => {
    const body = 'a&'.repeat(MEGABYTE / 2)
    const paths = ['/', '/no/such/path', '/login', '/my-broadcast-auth', '/api/posts']
    const bytes = (path: string) =>
      `${head(`POST ${path}`, `${FORM}content-length: ${body.length}\r\n`)}${body}`
    const answers = await whileServed(() => Promise.all([...paths, ...paths].map((path) => ask(bytes(path)))))
    // The connection may end while the client still sends, so that it does not read the answer.
    for (const { status } of answers) expect([0, 404, 405, 413, 415, 419]).toContain(status)
  })

  test('keeps the connection where the body of an unknown path is small', async () => {
    const socket = await dial('127.0.0.9')
    const bytes = `${head('POST /no/such/path', `${FORM}content-length: 3\r\n`)}a&a`
    for (let n = 0; n < 3; n++) expect((await ask(bytes, '', socket)).status).toBe(404)
  })
})

describe('a form', () => {
  test('is read by the call that takes one, up to 8 kB', async () => {
    const post = (data: string, path = '/broadcasting/auth') =>
      ana.http.post(path, data, { headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    expect((await post('socket_id=1.2&channel_name=presence-here')).status).toBe(200)
    expectInvalid(await whileServed(() => post('a&'.repeat(4000))), 'socket_id', 'channel_name')
    const over = await post('a&'.repeat(5000))
    expectRefused(over, 413)
    expect(over.data.message).toContain('8 kB')
    expectRefused(await post('name=Ana', '/api/profile'), 415)
  })
})

describe('a member who sends a list of wrong items', () => {
  const calls: Record<string, object> = {
    '/api/posts': { text: 'x' },
    '/api/send-private-message': { input: 'x', targetUserId: 1 },
    '/api/group-messages/send': { message: 'x', group_id: 1 },
  }
  test.each(Object.entries(calls))('to %s reads a short answer', async (path, fields) => {
    const huge = { ...fields, alt: Array(500_000).fill(0) }
    expectRefused(await whileServed(() => ana.http.post(path, huge)), 413)
    const answer = await whileServed(() => ana.http.post(path, { ...fields, alt: Array(32_000).fill(0) }))
    expectInvalid(answer, 'alt')
    expect(JSON.stringify(answer.data).length).toBeLessThan(500)
    const parts = Array.from({ length: 60 }, (_, n) => [`alt[${n}]`, 'y'.repeat(2000)])
    expectInvalid(await ana.http.post(path, form({ text: 'x', ...Object.fromEntries(parts) })))
  })
})

describe('requests without a session', () => {
  /** Sends requests on one connection, without waiting for their answers, until the server ends it. */
  async function flood(line: string, from: string, count: number) {
    const socket = await dial(from)
    let heard = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      heard += text
    })
    socket.write(head(line, '').repeat(count))
    await new Promise((resolve) => socket.once('close', resolve))
    return Object.groupBy(
      [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!),
      (status) => status,
    )
  }

  test.each([
    ['GET /no/such/path', '127.0.0.21', '404'],
    ['POST /no/such/path', '127.0.0.22', '404'],
    ['DELETE /api/posts', '127.0.0.23', '405'],
    ['GET /media/none.webp', '127.0.0.24', '404'],
  ])('as %s are counted for their address', async (line, from, status) => {
    const statuses = await whileServed(() => flood(line, from, 6500))
    // A client that still sends when the connection ends may not read all answers.
    expect(statuses[status]!.length).toBeLessThanOrEqual(6000)
    expect((await ask(head(line, ''), from)).status).toBe(429)
  })

  test('leave no error in the log', () => {
    expect(server.logs()).not.toMatch(/"level":(50|60)/)
  })
})

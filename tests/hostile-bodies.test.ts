import { once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  attackedServer,
  attacker,
  expectAnswers,
  openSocketFrom,
  sendRawFrom,
  startAttacked,
} from '#tests/hostile.ts'
import { axiosForm, expectError, expectInvalid } from '#tests/sanctum.ts'

beforeAll(startAttacked)

const MEGABYTE = 2 ** 20
const FORM = 'content-type: application/x-www-form-urlencoded\r\n'
const head = (line: string, more: string) => `${line} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`
const cookies = () => {
  const token = decodeURIComponent(attacker.token()!.value)
  return `cookie: ${attacker.cookieHeader()}\r\nx-xsrf-token: ${token}\r\n`
}

/** Routes that must refuse a form of one megabyte, each with its expected response status. */
const refused = [
  ['POST /', 405],
  ['POST /no/such/path', 404],
  ['PUT /api/no-such-call', 404],
  ['PATCH /api/posts', 405],
  ['DELETE /api/posts', 405],
  ['POST /media/x.webp', 405],
  ['POST /assets/x.js', 405],
  ['OPTIONS /api/posts', 405],
  ['POST /apps/engawa/events', 401],
  ['POST /apps/engawa/batch_events?auth_key=engawa&auth_signature=00', 401],
  ['POST /apps/other/events', 404],
  ['POST /healthz', 405],
] as const
/** The endpoints that must respond with 413 or 415 to a form of one megabyte from a member. */
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
    const answer = await expectAnswers(() =>
      sendRawFrom(head(line, `${FORM}content-length: ${MEGABYTE}\r\n`)),
    )
    expect(answer.status).toBe(status)
    expect(answer.head).toMatch(/\r\nconnection: close/i)
    const chunked = await sendRawFrom(head(line, `${FORM}transfer-encoding: chunked\r\n`))
    expect(chunked.status).toBe(status)
    expect(chunked.head).toMatch(/\r\nconnection: close/i)
  })

  test.each(tooLarge)('to %s as a member is refused before the body is read', async (line) => {
    const answer = await sendRawFrom(head(line, `${cookies()}${FORM}content-length: ${MEGABYTE}\r\n`))
    expect([413, 415]).toContain(answer.status)
    const json = `content-type: application/json\r\ncontent-length: ${MEGABYTE}\r\n`
    expect((await sendRawFrom(head(line, cookies() + json))).status).toBe(413)
  })

  test('as many form fields does not block the server, ten times at once', async () => {
    const body = 'a&'.repeat(MEGABYTE / 2)
    const paths = ['/', '/no/such/path', '/login', '/my-broadcast-auth', '/api/posts']
    const bytes = (path: string) =>
      `${head(`POST ${path}`, `${FORM}content-length: ${body.length}\r\n`)}${body}`
    const answers = await expectAnswers(() =>
      Promise.all([...paths, ...paths].map((path) => sendRawFrom(bytes(path)))),
    )
    // Allows the status 0, which means that the server closed the connection while the client was still
    // sending, so that the client read no response.
    for (const { status } of answers) expect([0, 404, 405, 413, 415, 419]).toContain(status)
  })

  test('keeps the connection where the body of an unknown path is small', async () => {
    const socket = await openSocketFrom('127.0.0.9')
    const bytes = `${head('POST /no/such/path', `${FORM}content-length: 3\r\n`)}a&a`
    for (let n = 0; n < 3; n++) expect((await sendRawFrom(bytes, '', socket)).status).toBe(404)
  })
})

describe('a form', () => {
  test('is accepted by the endpoint that takes forms, up to 8 kB', async () => {
    const post = (data: string, path = '/broadcasting/auth') =>
      attacker.http.post(path, data, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await post('socket_id=1.2&channel_name=presence-here')).status).toBe(200)
    expectInvalid(await expectAnswers(() => post('a&'.repeat(4000))), 'socket_id', 'channel_name')
    const over = await post('a&'.repeat(5000))
    expectError(over, 413)
    expect(over.data.message).toContain('8 kB')
    expectError(await post('name=Ana', '/api/profile'), 415)
  })
})

describe('a member who sends a list of wrong items', () => {
  const calls: Record<string, object> = {
    '/api/posts': { text: 'x' },
    '/api/send-private-message': { input: 'x', targetUserId: 1 },
    '/api/group-messages/send': { message: 'x', group_id: 1 },
  }
  test.each(Object.entries(calls))('to %s gets a short response', async (path, fields) => {
    const huge = { ...fields, alt: Array(500_000).fill(0) }
    expectError(await expectAnswers(() => attacker.http.post(path, huge)), 413)
    const answer = await expectAnswers(() =>
      attacker.http.post(path, { ...fields, alt: Array(32_000).fill(0) }),
    )
    expectInvalid(answer, 'alt')
    expect(JSON.stringify(answer.data).length).toBeLessThan(500)
    const parts = Array.from({ length: 60 }, (_, n) => [`alt[${n}]`, 'y'.repeat(2000)])
    expectInvalid(await attacker.http.post(path, axiosForm({ text: 'x', ...Object.fromEntries(parts) })))
  })
})

describe('requests without a session', () => {
  /**
   * Sends `count` requests on one connection, 50 at a time, until the server closes the connection. Returns
   * the response statuses.
   */
  async function flood(line: string, from: string, count: number) {
    const socket = await openSocketFrom(from)
    const closed = once(socket, 'close')
    const statuses: string[] = []
    let [receivedText, sent] = ['', 0]
    const sendMore = () => {
      const some = Math.min(50, count - sent)
      sent += some
      socket.write(head(line, '').repeat(some))
    }
    socket.setEncoding('latin1').on('data', (text: string) => {
      receivedText += text
      const ends = receivedText.lastIndexOf('\r\n') + 2
      statuses.push(
        ...[...receivedText.slice(0, ends).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!),
      )
      receivedText = receivedText.slice(ends)
      if (statuses.length >= sent && sent < count) sendMore()
    })
    sendMore()
    await closed
    return Object.groupBy(statuses, (status) => status)
  }

  test.each([
    ['GET /no/such/path', '127.0.0.21', '404'],
    ['POST /no/such/path', '127.0.0.22', '404'],
    ['DELETE /api/posts', '127.0.0.23', '405'],
    ['GET /media/none.webp', '127.0.0.24', '404'],
    ['POST /apps/engawa/events', '127.0.0.25', '401'],
  ])('as %s are counted for their address', async (line, from, status) => {
    const statuses = await expectAnswers(() => flood(line, from, 6500))
    // Expects at most 6000 of these responses, because a client that is still sending when the connection
    // closes may not read all of them.
    expect(statuses[status]!.length).toBeLessThanOrEqual(6000)
    expect((await sendRawFrom(head(line, ''), from)).status).toBe(429)
  })

  test('log no error', () => {
    expect(attackedServer.logs()).not.toMatch(/"level":(50|60)/)
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { axiosMember, axiosVisitor } from '#tests/sanctum.ts'
import { clockAhead, type ServerEnvironment, startServer } from '#tests/server.ts'

vi.setConfig({ testTimeout: 120_000 })

const DAY = 24 * 3600 * 1000
/** Moves the time of `Date` by so many days. Timers and other clocks do not change. */
const set = (days: number) => vi.setSystemTime(Date.now() + days * DAY)
describe.each(dialectsInTurn())('a clock that jumps on %s', (dialect) => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  test('forward by forty days ends sessions, as forty real days would, and changes nothing else', async () => {
    const { members, visitor } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    await Ann.post('/api/posts', { text: 'before' })
    set(40)
    expect((await Ann.get('/api/user')).status).toBe(401)
    const again = visitor()
    await again.get('/sanctum/csrf-cookie')
    expect(
      (await again.post('/login', { email: 'ann@engawa.example', password: 'correct horse' })).status,
    ).toBe(204)
    expect((await again.post('/api/posts', { text: 'after' })).status).toBe(201)
    expect((await again.get('/api/posts')).body).toMatchObject([{ body: 'after' }, { body: 'before' }])
  })

  test('back by two days keeps members logged in, and keeps the order of everything they wrote', async () => {
    const { members, context } = await createTestApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.post(`/api/follow/${Ben.id}`)
    const say = async (text: string) => {
      expect((await Ann.post('/api/posts', { text })).status).toBe(201)
      expect(
        (await Ann.post('/api/send-private-message', { input: text, targetUserId: Ben.id })).status,
      ).toBe(200)
    }
    await say('one')
    set(-2)
    await say('two')
    set(4)
    await say('three')
    const { body: posts } = await Ben.get('/api/posts')
    expect(posts.map(({ body }: { body: string }) => body)).toEqual(['three', 'two', 'one'])
    const { body: messages } = await Ben.get(`/api/messages/${Ann.id}`)
    expect(messages.map(({ message }: { message: string }) => message)).toEqual(['one', 'two', 'three'])
    expect((await Ben.get('/api/unread')).body.private).toEqual({ [Ann.id]: 3 })
    set(-2)
    expect((await Ben.get('/api/user')).status).toBe(200)
    expect((await Ann.get('/api/admin/facts')).status).toBe(200)
    expect(await context.media.cleanUp()).toEqual({ aside: 0, back: 0 })
  })

  test('blocks nobody for longer than a rate limit lasts', async () => {
    const { visitor } = await createTestApp({ dialect, env: { RATE_LIMIT: 'on' } })
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    const call = () => guest.post('/api/send-message', { message: 'x' })
    for (let i = 0; i < 10; i++) expect((await call()).status).toBe(200)
    for (const days of [-2, 40]) {
      set(days)
      const { status, headers } = await call()
      expect(status).toBe(429)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
    }
  })

  test('forward and back does not delay the next attempt of a mail, and a verification link stays valid', async () => {
    const { members, context, db } = await createTestApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    set(40)
    const { Ann } = await members('Ann')
    const tries = async () => (await readRows(db, 'jobs'))[0]!.attempts
    await context.jobs.idle()
    expect(await tries()).toBe(1)
    const { pathname, search } = new URL(
      (await Ann.get(`/api/admin/users/${Ann.id}/verification-link`)).body.link,
    )
    set(-40)
    context.jobs.wake()
    await context.jobs.idle()
    expect(await tries()).toBe(2)
    expect((await Ann.get(`/api${pathname}${search}`)).status).toBe(200)
  })
})

test('a server works with a clock far ahead, later with a clock behind, and later with the right clock', async () => {
  const server = await startServer()
  const ana = await axiosMember(server.url, 'Ana')
  await ana.http.post('/api/posts', { text: 'one' })
  await server.stop()
  const write = async (env: ServerEnvironment, text: string) => {
    const next = await startServer({ DATA_DIR: server.folder, ...env })
    const client = axiosVisitor(next.url)
    expect((await client.logIn(ana.email)).status).toBe(204)
    expect((await client.http.post('/api/posts', { text })).status).toBe(201)
    const { data } = await client.http.get('/api/posts')
    expect(await next.stop()).toBe(0)
    expect(next.logs()).not.toMatch(/"level":(50|60)/)
    return data.map(({ body }: { body: string }) => body)
  }
  expect(await write(clockAhead(40 * DAY), 'two')).toEqual(['two', 'one'])
  expect(await write(clockAhead(-2 * DAY), 'three')).toEqual(['three', 'two', 'one'])
  expect(await write({}, 'four')).toEqual(['four', 'three', 'two', 'one'])
})

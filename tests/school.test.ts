import { once } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { runChecks } from '#core/health/health.ts'
import * as sessions from '#features/people/sessions.ts'
import { createTestApp, type TestClient } from '#tests/harness.ts'
import { connectPusher, realtimeApp } from '#tests/sockets.ts'

// A school: everybody in these tests has the same address.

const open = (env: Record<string, string> = {}) => createTestApp({ env: { RATE_LIMIT: 'on', ...env } })

type Visit = (turn: number) => Promise<{ status: number; headers: object }>
/** Sends requests, some at a time, and returns how often each status came, and the last response. */
async function flood(count: number, visit: Visit) {
  const statuses: Record<number, number> = {}
  let last: Awaited<ReturnType<Visit>> | undefined
  for (let turn = 0; turn < count; turn += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => visit(turn + n)))
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
    last = answers.at(-1)
  }
  return { statuses, last: last! }
}
const retryAfter = expect.stringMatching(/^[1-9]\d*$/)

describe('requests of a visitor who sends 6,100', () => {
  test('do not take those of a member, who has an own limit; the visitor is refused', async () => {
    const { app, visitor, members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const { statuses, last } = await flood(6100, async () => {
      const { statusCode, headers } = await app.inject('/nothing')
      return { status: statusCode, headers }
    })
    expect(statuses[429]).toBeGreaterThanOrEqual(100)
    expect(last.headers).toMatchObject({ 'retry-after': retryAfter, connection: 'close' })
    expect((await visitor().get('/api/posts')).status).toBe(429)
    for (const path of ['/api/user', '/api/posts', '/api/nothing', '/media/none.webp'])
      expect((await Ann.get(path)).status, path).not.toBe(429)
    const cookie = [...Ben.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const ofBen = await flood(6100, async () => {
      const { statusCode, headers } = await app.inject({ url: '/api/nothing', headers: { cookie } })
      return { status: statusCode, headers }
    })
    expect(ofBen.statuses[429], 'a member has a limit too').toBeGreaterThanOrEqual(100)
    expect((await Ben.get('/api/user')).status).toBe(429)
    expect((await Ann.get('/api/user')).status).toBe(200)
  })

  test('count for the address if their session cookie is made up, ended, or that of a visitor', async () => {
    const { app, visitor, members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const someone = visitor()
    await someone.get('/sanctum/csrf-cookie')
    const ended = new Map(Ben.jar)
    await Ben.post('/logout')
    const made = (turn: number) => ({ engawa_session: String(turn).padStart(43, 'x'), 'XSRF-TOKEN': 'x' })
    const cookies = [made, () => Object.fromEntries(ended), () => Object.fromEntries(someone.jar)]
    const { statuses } = await flood(6100, async (turn) => {
      const jar = cookies[turn % 3]!(turn)
      const { statusCode, headers } = await app.inject({ url: '/api/nothing', cookies: jar })
      return { status: statusCode, headers }
    })
    expect(statuses[429]).toBeGreaterThanOrEqual(90)
    const stolen = { engawa_session: Ann.jar.get('engawa_session')!, 'XSRF-TOKEN': 'wrong' }
    expect((await app.inject({ url: '/api/user', cookies: stolen })).statusCode).toBe(429)
    expect((await Ann.get('/api/user')).status).toBe(200)
  })
})

describe('wrong log-ins', () => {
  const logIn = async (client: TestClient, email: string, password = 'correct horse') => {
    if (!client.jar.has('XSRF-TOKEN')) await client.get('/sanctum/csrf-cookie')
    return client.post('/login', { email, password })
  }

  test('of one pupil, sixty, do not stop those of others behind the address', async () => {
    const { visitor, members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.post('/logout')
    const pupil = visitor()
    const seen: number[] = []
    for (let n = 0; n < 60; n++) seen.push((await logIn(pupil, 'ben@engawa.example', 'wrong')).status)
    expect(seen.slice(0, 10)).toEqual(Array(10).fill(422))
    expect(seen.slice(10)).toEqual(Array(50).fill(429))
    const refused = await logIn(pupil, 'ben@engawa.example')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, retryAfter])
    expect((await logIn(Ann, 'ann@engawa.example')).status).toBe(204)
    expect((await logIn(visitor(), 'ann@engawa.example')).status, 'no known device').toBe(204)
    await Ben.post('/logout')
    expect((await logIn(Ben, 'ben@engawa.example')).status, 'a known device of the victim').toBe(204)
  })

  test('do not bound a known device, whose own log-ins are twenty a minute', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    for (const who of [Ann, Ben]) await who.post('/logout')
    const statuses = []
    for (let n = 0; n < 22; n++) statuses.push((await logIn(Ann, 'ann@engawa.example')).status)
    expect(statuses).toEqual([...Array(20).fill(204), 429, 429])
    expect((await logIn(Ben, 'ben@engawa.example')).status).toBe(204)
  })

  test('with many names stop only a second wrong try; a known device, and a first try, get in', async () => {
    const { visitor, members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.post('/logout')
    const pupil = visitor()
    for (let n = 0; n < 60; n++)
      expect((await logIn(pupil, `n${n}@engawa.example`, 'wrong')).status).toBe(422)
    for (let n = 0; n < 60; n++) {
      const again = await logIn(pupil, `n${n}@engawa.example`, 'wrong')
      expect([again.status, again.headers['retry-after']]).toEqual([429, '60'])
    }
    expect((await logIn(Ann, 'ann@engawa.example')).status).toBe(204)
    expect((await logIn(visitor(), 'ben@engawa.example', 'wrong')).status).toBe(422)
    expect((await logIn(visitor(), 'ben@engawa.example')).status, 'after a failure').toBe(429)
    expect((await logIn(visitor(), 'ann@engawa.example')).status, 'without a failure').toBe(204)
    await Ben.post('/logout')
    expect((await logIn(Ben, 'ben@engawa.example')).status).toBe(204)
  })

  test('with more and more names stop other browsers for a minute, and a known device never', async () => {
    const { visitor, members } = await open()
    const { Ann } = await members('Ann')
    await Ann.post('/logout')
    const pupil = visitor()
    await pupil.get('/sanctum/csrf-cookie')
    const began = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(began)
    onTestFinished(() => clock.mockRestore())
    const { statuses } = await flood(600, (turn) => logIn(pupil, `n${turn}@engawa.example`, 'wrong'))
    expect(statuses).toEqual({ 422: 180, 429: 420 })
    expect((await logIn(visitor(), 'ann@engawa.example')).status).toBe(429)
    expect((await logIn(Ann, 'ann@engawa.example')).status).toBe(204)
    clock.mockReturnValue(began + 61_000)
    expect((await logIn(visitor(), 'ann@engawa.example')).status, 'a minute later').toBe(204)
  })
})

describe('a proxy that TRUST_PROXY does not name', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.7' }
  const findings = async (testApp: Awaited<ReturnType<typeof open>>) => {
    const checks = await runChecks({
      ...testApp.context,
      isConnected: () => true,
      listSessionNetworks: sessions.listNetworks,
    })
    return checks.find(({ name }) => name === 'addresses')!
  }

  test.each([{}, { TRUST_PROXY: '10.0.0.1' }])('is named by one line in the log, with %o', async (env) => {
    const { app, visitor } = await open(env)
    const warn = vi.spyOn(app.log, 'warn')
    const said = () => warn.mock.calls.filter((call) => String(call[1]).includes('TRUST_PROXY'))
    await visitor().get('/api/posts')
    expect(said()).toEqual([])
    for (let n = 0; n < 3; n++) await visitor().get('/api/posts', forwarded)
    expect(said()).toEqual([[{ proxy: '127.0.0.1' }, expect.stringContaining('Set TRUST_PROXY')]])
  })

  test('is not suspected if it is named, or if a stranger from outside sends the header', async () => {
    const { app, visitor } = await open({ TRUST_PROXY: '127.0.0.1' })
    const warn = vi.spyOn(app.log, 'warn')
    await visitor().get('/api/posts', forwarded)
    const direct = await open()
    const warnDirect = vi.spyOn(direct.app.log, 'warn')
    await direct.app.inject({ url: '/api/posts', headers: forwarded, remoteAddress: '8.8.8.8' })
    expect([...warn.mock.calls, ...warnDirect.mock.calls]).toEqual([])
  })

  test('is found by the doctor: all members have the same private address', async () => {
    const outside = { HOST: '0.0.0.0', PUBLIC_URL: 'https://town.example' }
    const app = await open(outside)
    await app.members('Ann', 'Ben')
    expect(await findings(app)).toMatchObject({ status: 'ok', advice: null })
    await app.members('Cem')
    expect(await findings(app)).toMatchObject({
      status: 'attention',
      finding: { en: expect.stringContaining('(127.0.0.1)') },
      advice: { en: expect.stringContaining('TRUST_PROXY') },
    })
    const local = await open()
    await local.members('Ann', 'Ben', 'Cem')
    expect(await findings(local), 'a server for this machine').toMatchObject({ status: 'ok' })
    const named = await open({ ...outside, TRUST_PROXY: '127.0.0.1' })
    for (const [n, name] of ['Ann', 'Ben', 'Cem'].entries())
      await named.visitor({ 'x-forwarded-for': `198.51.100.${n}` }).register(name)
    expect(await findings(named)).toMatchObject({ status: 'ok' })
  })
})

describe('the sockets of a visitor', () => {
  /** Opens a WebSocket. Resolves to it and to the HTTP status of the handshake; 101 is success. */
  async function connect(url: string, cookie = '') {
    const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/app/engawa?protocol=7`, {
      headers: cookie ? { cookie } : {},
    })
    onTestFinished(() => ws.terminate())
    ws.on('error', () => {})
    const refused = new Promise<number>((resolve) =>
      ws.once('unexpected-response', (_, answer) => resolve(answer.statusCode!)),
    )
    return { ws, status: await Promise.race([once(ws, 'open').then(() => 101), refused]) }
  }
  const cookieOf = ({ jar }: TestClient) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))

  test('take no place of a member, who connects and receives, and has a limit of their own', async () => {
    const { url, members, sign, realtime } = await realtimeApp({ env: { RATE_LIMIT: 'on' } })
    const { Ann, Ben } = await members('Ann', 'Ben')
    const held = await many(200, () => connect(url))
    expect(held.every(({ status }) => status === 101)).toBe(true)
    expect((await connect(url)).status).toBe(429)
    expect((await connect(url, `${cookieOf(Ann)}x`.replace(/XSRF[^;]*/, 'XSRF-TOKEN=x'))).status).toBe(429)
    const ann = await connectPusher(url, { cookie: cookieOf(Ann) })
    ann.subscribe('private-room.1', (await sign(Ann, ann.id, 'private-room.1')).body)
    await ann.nextMessage('pusher_internal:subscription_succeeded')
    realtime.broadcast(['private-room.1'], 'said', { text: 'hello' })
    expect((await ann.nextMessage('said')).data).toEqual({ text: 'hello' })
    const ofBen = await many(51, () => connect(url, cookieOf(Ben)))
    expect(ofBen.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await connect(url, cookieOf(Ann))).status).toBe(101)
  })

  test('leave a place once a member is known by a subscription only, as that of an app', async () => {
    const { url, members, subscribeAs } = await realtimeApp({ env: { RATE_LIMIT: 'on' } })
    const { Ann } = await members('Ann')
    await many(199, () => connect(url))
    const app = await connectPusher(url)
    expect((await connect(url)).status).toBe(429)
    await subscribeAs(Ann, 'private-room.1', app)
    const last = await connect(url)
    expect([last.status, (await connect(url)).status]).toEqual([101, 429])
    app.ws.close()
    await app.whenClosed
    expect((await connect(url)).status, 'its end frees no second place').toBe(429)
    last.ws.close()
    await expect.poll(async () => (await connect(url)).status, { timeout: 10_000 }).toBe(101)
  })

  test('make room for a member when the server is full', async () => {
    const { url, members } = await realtimeApp({
      env: { RATE_LIMIT: 'on' },
      realtime: { maxConnections: 2 },
    })
    const { Ann } = await members('Ann')
    const [first, second] = [await connectPusher(url), await connectPusher(url)]
    const third = await connect(url)
    expect((await once(third.ws, 'close'))[0]).toBe(4100)
    for (const visitor of [first, second]) {
      await connectPusher(url, { cookie: cookieOf(Ann) })
      expect((await visitor.whenClosed).code).toBe(4100)
    }
    const late = await connect(url, cookieOf(Ann))
    expect((await once(late.ws, 'close'))[0], 'only members are connected').toBe(4100)
  })
})

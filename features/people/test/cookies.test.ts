import { describe, expect, test } from 'vitest'
import { OperatorError, readConfig } from '#core/config.ts'
import { transaction } from '#core/database/transaction.ts'
import * as memberSessions from '#features/people/sessions.ts'
import { temporaryFolder } from '#tests/databases.ts'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'

const DAY = 24 * 3600 * 1000
const PUBLIC_URL = 'https://town.example'
const linesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers['set-cookie'] ?? []].flat().map(String)
const namesOf = (answer: Awaited<ReturnType<TestClient['get']>>) =>
  linesOf(answer)
    .map((line) => line.split('=')[0])
    .sort()
const logIn = async (actor: TestClient) => {
  await actor.get('/sanctum/csrf-cookie')
  return actor.post('/login', { email: 'ann@engawa.example', password: 'correct horse' })
}

describe.each(dialectsInTurn())('cookies on %s', (dialect) => {
  test('are host-only on https', async () => {
    const { visitor } = await createTestApp({ dialect, env: { PUBLIC_URL } })
    const ann = visitor()
    const answer = await ann.get('/sanctum/csrf-cookie')
    expect(namesOf(answer)).toEqual(['XSRF-TOKEN', '__Host-engawa_session'])
    for (const line of linesOf(answer)) {
      expect(line).toMatch(/; Path=\/(;|$)/)
      expect(line).toMatch(/; Secure/)
      expect(line).not.toMatch(/Domain/)
    }
    await ann.register('Ann')
    expect((await ann.get('/api/user')).status).toBe(200)
    expect([...ann.jar.keys()].sort()).toEqual([
      'XSRF-TOKEN',
      '__Host-engawa_devices',
      '__Host-engawa_session',
    ])
  })

  test('with the old name are accepted after an upgrade, and replaced', async () => {
    const { visitor, members, db } = await createTestApp({ dialect, env: { PUBLIC_URL } })
    const { Ann } = await members('Ann')
    const old = 'o'.repeat(43)
    await transaction(db, (tx) => memberSessions.add(tx, Ann.id, old))
    const browser = visitor()
    browser.jar.set('engawa_session', old)
    const first = await browser.get('/api/user')
    expect(first).toMatchObject({ status: 200, body: { id: Ann.id } })
    expect(linesOf(first).find((line) => line.startsWith('engawa_session='))).toMatch(
      /^engawa_session=; Max-Age=0/,
    )
    expect(browser.jar.get('__Host-engawa_session')).toBe(old)
    browser.jar.delete('engawa_session')
    const second = await browser.get('/api/user')
    expect([second.status, namesOf(second)]).toEqual([200, []])
    // The server ignores a session cookie with the old name if the session in it has been moved to the new
    // name already. So a sibling subdomain cannot set a cookie that logs a visitor in as somebody else.
    const planted = visitor()
    planted.jar.set('engawa_session', Ann.jar.get('__Host-engawa_session')!)
    expect((await planted.get('/api/user')).status).toBe(401)
  })

  test('are valid for all subdomains with COOKIE_DOMAIN, and are not hidden by host-only ones', async () => {
    const env = { PUBLIC_URL: 'https://api.town.example', COOKIE_DOMAIN: 'town.example' }
    const { visitor, members } = await createTestApp({ dialect, env })
    const answer = await visitor().get('/sanctum/csrf-cookie')
    expect(namesOf(answer)).toEqual(['XSRF-TOKEN', 'engawa_session'])
    for (const line of linesOf(answer)) expect(line).toMatch(/; Domain=town\.example/)
    const { Ann } = await members('Ann')
    const both = ['engawa_session', 'XSRF-TOKEN'].map(
      (name) => `${name}=${'x'.repeat(43)}; ${name}=${Ann.jar.get(name)}`,
    )
    const again = await visitor({ cookie: both.join('; ') }).get('/sanctum/csrf-cookie')
    expect(linesOf(again).filter((line) => /=; Max-Age=0/.test(line) && !/Domain/.test(line))).toHaveLength(2)
    const cookie = both.join('; ')
    expect((await visitor({ cookie }).get('/api/user')).body).toMatchObject({ id: Ann.id })
  })

  test('are both set by each call of csrf-cookie', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    const before = Ann.jar.get('engawa_session')
    for (let n = 0; n < 2; n++)
      expect(namesOf(await Ann.get('/sanctum/csrf-cookie'))).toEqual(['XSRF-TOKEN', 'engawa_session'])
    expect(Ann.jar.get('engawa_session')).toBe(before)
  })

  test('end ninety days after the log-in, however often they are used', async () => {
    const { members, db } = await createTestApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    const began = (days: number) =>
      transaction(db, (tx) =>
        tx
          .updateTable('sessions')
          .set({ created_at: new Date(Date.now() - days * DAY).toISOString() })
          .where('user_id', '=', Ann.id)
          .execute(),
      )
    await began(89)
    expect((await Ann.get('/api/user')).status).toBe(200)
    await began(91)
    expect((await Ann.get('/api/user')).status).toBe(401)
    expect((await Ben.get('/api/user')).status).toBe(200)
  })

  test('the CSRF token is accepted in both headers', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    const token = decodeURIComponent(Ann.jar.get('XSRF-TOKEN')!)
    const follow = (headers: Record<string, string>) =>
      Ann.send('POST', `/api/follow/${Ben.id}`, undefined, { 'x-xsrf-token': '', ...headers })
    expect((await follow({ 'x-csrf-token': token })).status).toBe(200)
    expect((await follow({ 'x-xsrf-token': token })).status).toBe(200)
    for (const headers of [{}, { 'x-csrf-token': 'x' }, { 'x-csrf-token': Ben.jar.get('XSRF-TOKEN')! }])
      expect((await follow(headers)).status).toBe(419)
  })

  test('/broadcasting/auth is an alias of /my-broadcast-auth', async () => {
    const { members, visitor } = await createTestApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.post(`/api/follow/${Ben.id}`)
    const ask = async (actor: TestClient, path: string, channel: string) => {
      const { status, body } = await actor.post(path, { socket_id: '1.2', channel_name: channel })
      return { status, body }
    }
    for (const channel of [`private-chat.${Ann.id}.${Ben.id}`, 'private-chat.7.8', 'private-other'])
      expect(await ask(Ann, '/broadcasting/auth', channel)).toEqual(
        await ask(Ann, '/my-broadcast-auth', channel),
      )
    expect((await ask(Ann, '/broadcasting/auth', `private-chat.${Ann.id}.${Ben.id}`)).status).toBe(200)
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    expect((await ask(guest, '/broadcasting/auth', 'private-chat.1.2')).status).toBe(401)
  })

  test('the security log has log-ins and changes of rights, and drops networks after ninety days', async () => {
    const { members, visitor, db } = await createTestApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    for (const [method, path] of [
      ['PUT', 'admin'],
      ['PUT', 'admin'],
      ['DELETE', 'admin'],
      ['PUT', 'suspension'],
      ['DELETE', 'suspension'],
    ] as const)
      expect((await Ann.send(method, `/api/admin/users/${Ben.id}/${path}`)).status).toBe(200)
    const { link } = (await Ann.get(`/api/admin/users/${Ben.id}/verification-link`)).body
    await visitor().get(`/api${new URL(link).pathname}${new URL(link).search}`)
    const events = async (id: number) =>
      (await readRows(db, 'security_log'))
        .filter(({ user_id }) => user_id === id)
        .sort((a, b) => Number(a.id) - Number(b.id))
        .map(({ kind, actor_id, network }) => [kind, actor_id, network])
    expect(await events(Ben.id)).toEqual([
      ['registered', null, '127.0.0.1'],
      ['admin_granted', Ann.id, null],
      ['admin_revoked', Ann.id, null],
      ['suspended', Ann.id, null],
      ['unsuspended', Ann.id, null],
      ['email_verified', null, null],
    ])
    const set = (days: number) =>
      transaction(db, (tx) =>
        tx
          .updateTable('security_log')
          .set({ created_at: new Date(Date.now() - days * DAY).toISOString() })
          .where('user_id', '=', Ben.id)
          .execute(),
      )
    expect((await logIn(visitor())).status).toBe(204)
    expect((await events(Ann.id)).at(-1)).toEqual(['logged_in', null, '127.0.0.1'])
    await set(89)
    await logIn(visitor())
    expect((await events(Ben.id))[0]).toEqual(['registered', null, '127.0.0.1'])
    await set(91)
    await logIn(visitor())
    expect((await events(Ben.id))[0]).toEqual(['registered', null, null])
    await set(366)
    await logIn(visitor())
    expect(await events(Ben.id)).toEqual([])
  })
})

test('COOKIE_DOMAIN must be the host of PUBLIC_URL or a parent domain of it', () => {
  const read = (COOKIE_DOMAIN: string) =>
    readConfig({
      DATA_DIR: temporaryFolder(),
      PUBLIC_URL: 'https://api.town.example',
      COOKIE_DOMAIN,
    })
  for (const domain of ['town.example', '.town.example', 'api.town.example'])
    expect(read(domain).COOKIE_DOMAIN).toBe(domain)
  for (const domain of ['other.example', 'own.example', 'x.api.town.example'])
    expect(() => read(domain)).toThrow(OperatorError)
})

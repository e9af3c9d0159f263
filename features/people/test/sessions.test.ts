import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { connectPusher, realtimeApp } from '#tests/sockets.ts'
import { peopleModule } from '../module.ts'

const SESSION = 'engawa_session'
const HOUR = 3600 * 1000

/**
 * Moves `refreshed_at` of all sessions `hours` into the past, as if the server had sent the session cookies
 * then.
 */
const ageSessions = (db: TestApp['db'], hours: number) =>
  transaction(db, (tx) =>
    tx
      .updateTable('sessions')
      .set({ refreshed_at: new Date(Date.now() - hours * HOUR).toISOString() })
      .execute(),
  )

/** Returns the cookies that a response sets, as an object from cookie name to Set-Cookie header. */
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  Object.fromEntries(
    [headers['set-cookie'] ?? []].flat().map((line) => [String(line).split('=')[0], String(line)]),
  )

describe.each(dialectsInTurn())('sessions on %s', (dialect) => {
  const open = () => createTestApp({ dialect })
  const logIn = async (actor: TestClient, email = 'ann@engawa.example', password = 'correct horse') => {
    await actor.get('/sanctum/csrf-cookie')
    return actor.post('/login', { email, password })
  }

  test('begin with two cookies: a readable one and an HttpOnly one', async () => {
    const { visitor } = await open()
    const answer = await visitor().get('/sanctum/csrf-cookie')
    expect([answer.status, answer.body]).toEqual([204, ''])
    const cookies = cookiesOf(answer)
    expect(Object.keys(cookies).sort()).toEqual(['XSRF-TOKEN', SESSION])
    for (const line of Object.values(cookies)) {
      expect(line).toMatch(/; Path=\//)
      expect(line).toMatch(/; SameSite=Lax/)
      expect(line).not.toMatch(/; Secure/)
    }
    expect(cookies[SESSION]).toMatch(/; HttpOnly/)
    expect(cookies['XSRF-TOKEN']).not.toMatch(/HttpOnly/)
  })

  test('have Secure cookies on https', async () => {
    const { visitor } = await createTestApp({ dialect, env: { PUBLIC_URL: 'https://town.example' } })
    const cookies = Object.values(cookiesOf(await visitor().get('/sanctum/csrf-cookie')))
    expect(cookies).toHaveLength(2)
    for (const line of cookies) expect(line).toMatch(/; Secure/)
  })

  // spec: 7.6
  test('require the right address and password', async () => {
    const { members, visitor, db } = await open()
    await members('Ann')
    const wrong: [string, string][] = [
      ['ann@engawa.example', 'correct horse '],
      ['ann@engawa.example', 'Correct horse'],
      ['ben@engawa.example', 'correct horse'],
      ['%@engawa.example', 'correct horse'],
    ]
    const said = new Set<string>()
    for (const [email, password] of wrong) {
      const guest = visitor()
      const answer = await logIn(guest, email, password)
      expect(answer).toMatchObject({ status: 422, body: { errors: { email: [expect.any(String)] } } })
      said.add(answer.body.message)
      expect((await guest.get('/api/user')).status).toBe(401)
    }
    expect(said.size).toBe(1)
    for (const body of [
      {},
      { email: 'ann@engawa.example' },
      { password: 'correct horse' },
      { email: 'ann@engawa.example', password: { length: 13 } },
    ]) {
      const guest = visitor()
      await guest.get('/sanctum/csrf-cookie')
      expect((await guest.post('/login', body)).status).toBe(422)
    }
    expect(
      (await visitor().post('/login', { email: 'ann@engawa.example', password: 'correct horse' })).status,
    ).toBe(419)
    expect(await readRows(db, 'sessions')).toHaveLength(1)
    const ann = visitor()
    expect((await logIn(ann, ' ANN@engawa.example ')).status).toBe(204)
    expect((await ann.get('/api/user')).body).toMatchObject({ id: 1, name: 'Ann' })
  })

  test('get a new id at registration, log-in and log-out, and the old id is not accepted', async () => {
    const { visitor } = await open()
    const ann = visitor()
    await ann.get('/sanctum/csrf-cookie')
    const seen = [ann.jar.get(SESSION)!]
    await ann.register('Ann')
    seen.push(ann.jar.get(SESSION)!)
    await ann.post('/logout')
    seen.push(ann.jar.get(SESSION)!)
    await logIn(ann)
    seen.push(ann.jar.get(SESSION)!)
    await logIn(ann)
    seen.push(ann.jar.get(SESSION)!)
    expect(new Set(seen).size).toBe(5)
    for (const old of seen.slice(0, 4)) {
      const thief = visitor()
      thief.jar.set(SESSION, old)
      expect((await thief.get('/api/user')).status).toBe(401)
    }
    expect((await ann.get('/api/user')).status).toBe(200)
  })

  test('have their own CSRF token; tokens of other sessions are refused', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const follow = (token: string) =>
      Ann.send('POST', `/api/follow/${Ben.id}`, undefined, { 'x-xsrf-token': token })
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    for (const token of [
      decodeURIComponent(Ben.jar.get('XSRF-TOKEN')!),
      guest.jar.get('XSRF-TOKEN')!,
      '',
      'x',
    ])
      expect(await follow(token)).toMatchObject({ status: 419, body: { message: 'CSRF token mismatch.' } })
    expect((await follow(decodeURIComponent(Ann.jar.get('XSRF-TOKEN')!))).status).toBe(200)
  })

  test('are stored as a hash only', async () => {
    const { members, db } = await open()
    const { Ann } = await members('Ann')
    const cookie = Ann.jar.get(SESSION)!
    const rows = await readRows(db, 'sessions')
    expect(rows).toMatchObject([
      { token_hash: createHash('sha256').update(cookie).digest('hex'), user_id: Ann.id },
    ])
    expect(JSON.stringify(rows)).not.toContain(cookie)
    const thief = (await open()).visitor()
    thief.jar.set(SESSION, String(rows[0]!.token_hash))
    expect((await thief.get('/api/user')).status).toBe(401)
    expect(JSON.stringify(await readRows(db, 'users'))).not.toContain('correct horse')
  })

  test('are extended after a day: cookies are sent again and thirty days begin anew', async () => {
    const { members, db } = await open()
    const { Ann } = await members('Ann')
    await ageSessions(db, 23)
    expect(cookiesOf(await Ann.get('/api/user'))).toEqual({})
    await ageSessions(db, 25)
    const answer = await Ann.get('/api/user')
    expect(answer.status).toBe(200)
    expect(Object.keys(cookiesOf(answer)).sort()).toEqual(['XSRF-TOKEN', SESSION])
    expect(cookiesOf(answer)[SESSION]).toMatch(/Max-Age=2592000/)
    const [{ refreshed_at }] = (await readRows(db, 'sessions')) as [{ refreshed_at: string }]
    expect(Date.now() - Date.parse(refreshed_at)).toBeLessThan(HOUR)
    expect(cookiesOf(await Ann.get('/api/user'))).toEqual({})
  })

  test('end after thirty days', async () => {
    const { members, db } = await open()
    const { Ann } = await members('Ann')
    await ageSessions(db, 30 * 24 - 1)
    expect((await Ann.get('/api/user')).status).toBe(200)
    await ageSessions(db, 30 * 24 + 1)
    expect((await Ann.get('/api/user')).status).toBe(401)
    expect((await Ann.post('/api/profile', { name: 'Nobody' })).status).toBe(401)
  })

  test('that have ended by their age are deleted, and their sockets are closed', async () => {
    const app = await realtimeApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await ageSessions(app.db, 30 * 24 + 1)
    await logIn(Ben, 'ben@engawa.example')
    const old = await connectPusher(app.url)
    const young = await app.subscribeAs(Ben, 'private-room.1')
    await transaction(app.db, (tx) =>
      tx
        .updateTable('sessions')
        .set({ refreshed_at: new Date().toISOString() })
        .where('user_id', '=', Ann.id)
        .execute(),
    )
    await app.subscribeAs(Ann, 'private-room.1', old)
    await transaction(app.db, (tx) =>
      tx
        .updateTable('sessions')
        .set({ created_at: new Date(Date.now() - 91 * 24 * HOUR).toISOString() })
        .where('user_id', '=', Ann.id)
        .execute(),
    )
    // Adds more expired sessions than one batch of the cleanup deletes.
    const times = { created_at: '2020-01-01T00:00:00.000Z', refreshed_at: '2020-01-01T00:00:00.000Z' }
    const many = Array.from({ length: 1001 }, (_, n) => ({
      token_hash: `old ${n}`,
      user_id: Ben.id,
      ...times,
    }))
    await transaction(app.db, (tx) => tx.insertInto('sessions').values(many).execute())
    await peopleModule.startBackgroundWork!(app.context, []).close()
    expect((await old.whenClosed).code).toBe(4009)
    await young.sync()
    expect((await readRows(app.db, 'sessions')).map(({ user_id }) => user_id)).toEqual([Ben.id])
  })

  test('do nothing for a page of another member of the same browser', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const post = (member: number) =>
      Ben.send('POST', '/api/posts', { text: 'Hello' }, { 'x-member': String(member) })
    expect(await post(Ann.id)).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
    expect((await Ben.get('/api/posts')).body).toEqual([])
    expect((await post(Ben.id)).status).toBe(201)
  })

  // spec: 7.7
  test('end at log-out; other sessions of the member stay', async () => {
    const { members, visitor, db } = await open()
    const { Ann } = await members('Ann')
    const phone = visitor()
    await logIn(phone)
    const old = Ann.jar.get(SESSION)!
    expect((await Ann.send('POST', '/logout', undefined, { 'x-xsrf-token': 'guessed' })).status).toBe(419)
    expect((await Ann.get('/api/user')).status).toBe(200)
    expect((await Ann.post('/logout')).status).toBe(204)
    expect(await Ann.get('/api/user')).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
    expect(await Ann.post('/logout')).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
    Ann.jar.set(SESSION, old)
    expect((await Ann.get('/api/user')).status).toBe(401)
    expect((await phone.get('/api/user')).status).toBe(200)
    expect(await readRows(db, 'sessions')).toHaveLength(1)
  })
})

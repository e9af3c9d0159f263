import { describe, expect, test } from 'vitest'
import { ageConfirmations, securityKinds } from '#tests/account-security.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, dialectsInTurn, type TestClient } from '#tests/harness.ts'

const firefox = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0',
}
const OLD = 'correct horse'
const NEW = 'seven paper lanterns'

async function logIn(client: TestClient, password = OLD) {
  await client.get('/sanctum/csrf-cookie')
  return client.post('/login', { email: 'ann@engawa.example', password })
}

const changePassword = (client: TestClient, current_password: string, password: string, again = password) =>
  client.send('PUT', '/api/account/password', {
    current_password,
    password,
    password_confirmation: again,
  })

describe.each(dialectsInTurn())('the account on %s', (dialect) => {
  const open = () => createTestApp({ dialect })

  test('changes its password, which ends all other sessions and keeps this one', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const phone = visitor(firefox)
    expect((await logIn(phone)).status).toBe(204)
    expect((await changePassword(phone, OLD, NEW)).body).toEqual({
      message: 'Your password has been changed. Other devices have been logged out.',
    })
    expect((await Ann.get('/api/user')).status).toBe(401)
    expect((await Ben.get('/api/user')).status).toBe(200)
    expect((await phone.get('/api/user')).status).toBe(200)
    expect((await logIn(visitor(), OLD)).status).toBe(422)
    expect((await logIn(visitor(), NEW)).status).toBe(204)
  })

  test('keeps its password if the current one is wrong, or the new one is not acceptable', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const wrong = await changePassword(Ann, 'guessed', NEW)
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['current_password']])
    for (const [password, again] of [
      ['short', 'short'],
      [NEW, 'another'],
      ['password123', 'password123'],
    ] as const) {
      const refused = await changePassword(Ann, OLD, password, again)
      expect([refused.status, Object.keys(refused.body.errors)], password).toEqual([422, ['password']])
    }
    expect((await logIn(visitor(), OLD)).status).toBe(204)
    expect(await securityKinds(Ann)).not.toContain('password_changed')
  })

  test('lists its sessions, without those of others', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann', 'Ben')
    const phone = visitor(firefox)
    await logIn(phone)
    const { body } = await phone.get('/api/account/sessions')
    expect(body).toMatchObject([
      { device: 'Firefox · Linux', network: '127.0.0.1', is_current: true },
      { device: null, is_current: false },
    ])
    expect((await Ann.get('/api/account/sessions')).body.map((row: { id: string }) => row.id)).toEqual(
      body.map((row: { id: string }) => row.id),
    )
  })

  test('ends one session or all others, and nobody else can', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [phone, tablet] = [visitor(), visitor()]
    await logIn(phone)
    await logIn(tablet)
    const sessions = (await phone.get('/api/account/sessions')).body as { id: string; is_current: boolean }[]
    const current = sessions.find(({ is_current }) => is_current)!
    expect((await Ben.delete(`/api/account/sessions/${current.id}`)).status).toBe(404)
    expect((await Ann.delete(`/api/account/sessions/${current.id}`)).status).toBe(204)
    expect((await phone.get('/api/user')).status).toBe(401)
    expect((await Ann.delete(`/api/account/sessions/${current.id}`)).status).toBe(404)
    expect((await Ann.delete('/api/account/sessions')).body).toEqual({ ended: 1 })
    expect((await tablet.get('/api/user')).status).toBe(401)
    expect((await Ann.get('/api/user')).status).toBe(200)
    expect((await Ben.get('/api/user')).status).toBe(200)
  })

  test('asks for a confirmation before sensitive calls, ten minutes after the last one', async () => {
    const { members, visitor, db } = await open()
    const { Ann } = await members('Ann')
    const phone = visitor()
    await logIn(phone)
    await ageConfirmations(db, 11)
    const refused = await Ann.delete('/api/account/sessions')
    expect([refused.status, refused.body]).toEqual([423, { message: 'Please confirm first that it is you.' }])
    expect((await phone.get('/api/user')).status).toBe(200)
    const wrong = await Ann.post('/api/account/confirm', { password: 'guessed' })
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['password']])
    expect((await Ann.delete('/api/account/sessions')).status).toBe(423)
    expect((await Ann.post('/api/account/confirm', { password: OLD })).status).toBe(204)
    expect((await Ann.delete('/api/account/sessions')).body).toEqual({ ended: 1 })
    // A password confirmation in one browser does not confirm the session of another browser.
    await logIn(phone)
    await ageConfirmations(db, 11)
    await Ann.post('/api/account/confirm', { password: OLD })
    expect((await phone.delete('/api/account/sessions')).status).toBe(423)
  })

  test('has a log of log-ins, failures and changes, which only the member reads', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await logIn(visitor(), 'guessed')
    await eventually(async () => expect(await securityKinds(Ann)).toContain('log_in_failed'))
    await logIn(visitor())
    await changePassword(Ann, OLD, NEW)
    expect(await securityKinds(Ann)).toEqual([
      'password_changed',
      'logged_in',
      'log_in_failed',
      'registered',
      'admin_granted',
    ])
    expect(await securityKinds(Ben)).toEqual(['registered'])
    const page = await Ann.get('/api/account/security-events?limit=2')
    expect(page.body).toHaveLength(2)
    expect(page.headers.link).toMatch(/before=\d+.*rel="next"/)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    expect((await Ben.get('/api/account/security-events')).body[0]).toMatchObject({
      kind: 'admin_granted',
      by_admin: true,
    })
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { ageConfirmations, securityKinds } from '#tests/account-security.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { createTestApp, dialectsInTurn, type TestClient } from '#tests/harness.ts'

const NEEDED =
  'Admins and moderators of this community need a second step for the log-in. Set it up on the account page, or log in with a passkey.'

async function turnOn(client: TestClient) {
  const { secret } = (await client.post('/api/account/one-time-codes')).body
  const code = totpCode(secret)
  expect((await client.post('/api/account/one-time-codes/confirm', { code })).status).toBe(200)
  vi.setSystemTime(Date.now() + 60_000)
  return secret as string
}
const require = (client: TestClient, admins_need_second_step: boolean) =>
  client.send('PATCH', '/api/admin/settings', { admins_need_second_step })
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe.each(dialectsInTurn())('a second step of admins on %s', (dialect) => {
  const open = (env: Record<string, string> = {}) => createTestApp({ dialect, env })

  test('cannot be required by an admin who has none', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const refused = await require(Ann, true)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['admins_need_second_step']])
    expect((await require(Ann, false)).status).toBe(200)
    expect((await require(Ben, true)).status).toBe(403)
    expect((await Ann.get('/api/admin/users')).status).toBe(200)
    // An authenticator app whose first code was not confirmed does not count as a second step.
    await Ann.post('/api/account/one-time-codes')
    expect((await require(Ann, true)).status).toBe(422)
  })

  test('is needed for every right of an admin, once it is required, and gives it back at once', async () => {
    const { members } = await open()
    const { Ann, Ben, Cem } = await members('Ann', 'Ben', 'Cem')
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    const { post } = (await Cem.post('/api/posts', { text: 'hello' })).body
    const secret = await turnOn(Ann)
    expect((await require(Ann, true)).body.settings.admins_need_second_step).toBe(true)
    for (const [method, url] of [
      ['GET', '/api/admin/users'],
      ['GET', '/api/admin/settings'],
      ['PUT', `/api/admin/users/${Cem.id}/suspension`],
      ['DELETE', `/api/admin/users/${Ann.id}/admin`],
      ['POST', '/api/groups'],
    ] as const) {
      const refused = await Ben.send(method, url, method === 'GET' ? undefined : { name: 'x' })
      expect([refused.status, refused.body], url).toEqual([403, { message: NEEDED }])
    }
    expect((await require(Ben, false)).status).toBe(403)
    expect((await Ben.delete(`/api/posts/${post.id}`)).status).toBe(403)
    const page = await Ben.get('/admin/users', { accept: 'text/html' })
    expect(page.body).not.toContain('ann@engawa.example')
    expect((await Ben.get('/api/user')).body).toMatchObject({ is_admin: false, needs_second_step: true })
    expect((await Ann.get('/api/user')).body).toMatchObject({ is_admin: true })
    expect((await Ann.get('/api/user')).body).not.toHaveProperty('needs_second_step')
    // A member who is no admin gets the usual error, not a request to set up a second step.
    expect((await Cem.get('/api/admin/users')).body.message).toBe('Only admins may do this.')
    expect((await Cem.get('/api/user')).body).not.toHaveProperty('needs_second_step')

    await turnOn(Ben)
    expect((await Ben.get('/api/admin/users')).status).toBe(200)
    expect((await Ben.get('/api/user')).body).toMatchObject({ is_admin: true })
    expect((await Ben.delete(`/api/posts/${post.id}`)).status).toBe(200)
    // An admin who turns off the second step loses the admin rights, and gets them back by turning it on
    // again.
    const code = totpCode(secret)
    expect((await Ann.post('/api/account/one-time-codes/remove', { code })).status).toBe(204)
    expect((await Ann.get('/api/admin/users')).status).toBe(403)
    await turnOn(Ann)
    expect((await require(Ann, false)).status).toBe(200)
  })

  test('is not needed while it is not required', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    await turnOn(Ann)
    await require(Ann, true)
    await require(Ann, false)
    const { Ben } = await members('Ben')
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    expect((await Ben.get('/api/admin/users')).status).toBe(200)
  })

  test('of another member can be removed by an admin, who must confirm; that of an admin cannot', async () => {
    const { members, visitor, db } = await open({ SMTP_URL: 'smtp://127.0.0.1:9' })
    const { Ann, Ben, Cem } = await members('Ann', 'Ben', 'Cem')
    const secret = await turnOn(Ann)
    await turnOn(Ben)
    await transaction(db, (tx) =>
      tx.updateTable('users').set({ email_verified_at: '2026-01-01T00:00:00.000Z' }).execute(),
    )
    const listed = async () =>
      Object.fromEntries(
        (await Ann.get('/api/admin/users')).body.userData.map(
          ({ id, has_second_step }: { id: number; has_second_step: boolean }) => [id, has_second_step],
        ),
      )
    expect(await listed()).toEqual({ [Ann.id]: true, [Ben.id]: true, [Cem.id]: false })
    const remove = (client: TestClient, id: number) => client.delete(`/api/admin/users/${id}/second-step`)
    expect((await remove(Cem, Ben.id)).status).toBe(403)
    expect((await remove(Ann, Ann.id)).status).toBe(403)
    await ageConfirmations(db)
    expect((await remove(Ann, Ben.id)).status).toBe(423)
    expect(await listed()).toMatchObject({ [Ben.id]: true })
    const code = totpCode(secret)
    await Ann.post('/api/account/confirm', { password: 'correct horse', code })
    const removed = await remove(Ann, Ben.id)
    expect([removed.status, removed.body.has_second_step]).toEqual([200, false])
    expect((await Ben.get('/api/account/security-events')).body[0]).toMatchObject({
      kind: 'second_step_removed',
      by_admin: true,
      network: null,
    })
    const mails = await db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
    const notice = mails
      .map(({ payload }) => payload ?? '')
      .find((mail) => mail.includes('removed the second'))
    expect(notice).toContain('ben@engawa.example')
    expect(notice).not.toContain('127.0.0.1')
    const phone = visitor()
    await phone.get('/sanctum/csrf-cookie')
    const account = { email: 'ben@engawa.example', password: 'correct horse' }
    expect((await phone.post('/login', account)).status).toBe(204)
    // A request to remove a second step that the member does not have succeeds and changes nothing.
    expect((await remove(Ann, Ben.id)).status).toBe(200)
    expect((await remove(Ann, Cem.id)).status).toBe(200)
    expect((await securityKinds(Ben)).filter((kind: string) => kind === 'second_step_removed')).toHaveLength(
      1,
    )
    expect(await securityKinds(Cem)).not.toContain('second_step_removed')
    expect((await remove(Ann, 999_999)).status).toBe(404)
    await Ben.post('/api/account/confirm', { password: 'correct horse' })
    await turnOn(Ben)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    expect((await remove(Ann, Ben.id)).status).toBe(403)
    expect(await listed()).toMatchObject({ [Ben.id]: true })
  })
})

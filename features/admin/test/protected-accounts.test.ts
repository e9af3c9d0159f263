import { afterEach, describe, expect, test, vi } from 'vitest'
import { apiContracts } from '#app.ts'
import { transaction } from '#core/database/transaction.ts'
import {
  ANN_EMAIL,
  appWithMails,
  logInStatus,
  OLD_PASSWORD,
  requestReset,
  resetPassword,
  resetTokens,
  unsentMails,
} from '#features/account/test/resets.ts'
import { grantAdmin, revokeAdmin } from '#features/people/admins.ts'
import * as credentials from '#features/people/credentials.ts'
import { ageConfirmations } from '#tests/account-security.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { databases, readRows, type TestApp, type TestClient } from '#tests/harness.ts'

const BEN = 'ben@engawa.example'
afterEach(() => vi.useRealTimers())

/**
 * Marks the email addresses of all members as verified, because unverified ones get no mail about their
 * account.
 */
const verifyAll = ({ db }: TestApp) =>
  transaction(db, (tx) =>
    tx.updateTable('users').set({ email_verified_at: new Date().toISOString() }).execute(),
  )

async function turnOnSecondStep(client: TestClient) {
  const { secret } = (await client.post('/api/account/one-time-codes')).body
  await client.post('/api/account/one-time-codes/confirm', { code: totpCode(secret) })
  return secret as string
}

const subjectsTo = async (app: TestApp, address: string) =>
  (await unsentMails(app)).filter(({ to }) => to === address).map(({ subject }) => subject)

test('every call of admins that changes something needs a confirmation', () => {
  const endpoints = Object.values({ ...apiContracts.admin, ...apiContracts.health })
  const unprotected = endpoints.filter(
    ({ method, options }) => method !== 'GET' && !options.needsConfirmation,
  )
  expect(unprotected.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

describe.each(databases)('a stolen or dishonest admin on %s', (dialect) => {
  test('changes nothing with a session that was confirmed long ago', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await ageConfirmations(app.db)
    const path = `/api/admin/users/${Ben.id}`
    const calls = [
      Ann.put(`${path}/admin`),
      Ann.delete(`${path}/admin`),
      Ann.put(`${path}/suspension`),
      Ann.delete(`${path}/suspension`),
      Ann.post(`${path}/keep`),
      Ann.post(`${path}/reset-code`),
      Ann.delete(`${path}/second-step`),
      Ann.send('DELETE', path, { messages: 'keep' }),
      Ann.get(`${path}/verification-link`),
      Ann.send('PATCH', '/api/admin/settings', { show_samples: false }),
    ]
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([423]))
    expect((await Ann.get('/api/admin/users')).status).toBe(200)
    expect((await Ann.get('/api/admin/settings')).body.settings.show_samples).toBe(true)
    await Ann.post('/api/account/confirm', { password: OLD_PASSWORD })
    expect((await Ann.put(`${path}/admin`)).status).toBe(200)
  })

  test('reads and finds no address with such a session, and all after a confirmation', async () => {
    const app = await appWithMails(dialect)
    const { Ann } = await app.members('Ann', 'Ben')
    const find = async (q: string) => (await Ann.get(`/api/admin/users?q=${q}`)).body.userData
    await ageConfirmations(app.db)
    expect(await find('ben')).toMatchObject([{ name: 'Ben', email: null, has_hidden_email: true }])
    expect(await find('engawa.example')).toEqual([])
    await Ann.post('/api/account/confirm', { password: OLD_PASSWORD })
    expect(await find('engawa.example')).toMatchObject([{ email: ANN_EMAIL }, { email: BEN }])
  })

  test('opens no group and deletes no post with such a session, but works in a group of their own', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await Ann.send('PATCH', '/api/admin/settings', { who_can_create_groups: 'members' })
    const { group } = (await Ben.post('/api/groups', { name: 'Club' })).body
    const own = (await Ann.post('/api/groups', { name: 'Own' })).body.group
    const { post } = (await Ben.post('/api/posts', { text: 'mine' })).body
    await ageConfirmations(app.db)
    const addAnn = () => Ann.post(`/api/groups/${group.id}/add-user`, { user_id: Ann.id })
    expect((await addAnn()).status).toBe(423)
    expect((await Ann.get(`/api/group-messages/${group.id}`)).status).toBe(403)
    expect((await Ann.delete(`/api/groups/${group.id}`)).status).toBe(423)
    expect((await Ann.delete(`/api/posts/${post.id}`)).status).toBe(423)
    expect((await Ann.post(`/api/groups/${own.id}/add-user`, { user_id: Ben.id })).status).toBe(200)
    expect((await Ben.delete(`/api/posts/${post.id}`)).status).toBe(200)
    await Ann.post('/api/account/confirm', { password: OLD_PASSWORD })
    expect((await addAnn()).status).toBe(200)
  })

  test('does not open the account of an admin by taking the right away first, for seven days', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await verifyAll(app)
    const path = `/api/admin/users/${Ben.id}`
    const code = (await Ann.post(`${path}/reset-code`)).body.code
    await Ann.put(`${path}/admin`)
    await turnOnSecondStep(Ben)
    expect((await Ann.delete(`${path}/admin`)).status).toBe(200)
    expect((await Ann.delete(`${path}/second-step`)).status).toBe(403)
    expect((await Ann.post(`${path}/reset-code`)).status).toBe(403)
    expect((await resetPassword(app.visitor(), { email: BEN, code })).status).toBe(422)
    expect(await subjectsTo(app, BEN)).toEqual([
      'Verify your email address for Engawa',
      'A code for a new password for Engawa',
      'You are an admin of Engawa now',
      'A second step protects your account of Engawa',
      'You are no longer an admin of Engawa',
    ])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 24 * 3600_000 + 60_000 })
    await Ann.post('/api/account/confirm', { password: OLD_PASSWORD })
    expect((await Ann.delete(`${path}/second-step`)).status).toBe(200)
    expect((await Ann.post(`${path}/reset-code`)).status).toBe(200)
  })

  test('does not open it either if the operator has taken the right away', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await transaction(app.db, (tx) => grantAdmin(tx, Ben.id))
    await transaction(app.db, (tx) => revokeAdmin(tx, Ben.id))
    expect((await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).status).toBe(403)
  })

  test('does not leave the community without an admin who can log in and stays', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const path = `/api/admin/users/${Ben.id}/admin`
    await Ann.put(path)
    expect((await Ann.send('DELETE', '/api/account', { messages: 'keep' })).status).toBe(200)
    expect((await Ann.delete(path)).status).toBe(403)
    await Ann.post('/api/account/keep')
    // Suspends the admin Ben directly in the database. Such suspended admins exist, because older versions
    // could make a suspended member an admin.
    await transaction(app.db, (tx) =>
      tx
        .insertInto('suspensions')
        .values({ user_id: Ben.id, suspended_by: null, created_at: '2026' })
        .execute(),
    )
    expect((await Ann.delete(`/api/admin/users/${Ann.id}/admin`)).status).toBe(403)
  })
})

describe.each(databases)('a suspension on %s', (dialect) => {
  test('ends links and codes for a new password, and log-ins that wait for the second step', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const secret = await turnOnSecondStep(Ben)
    await requestReset(app.visitor(), BEN)
    const [token] = await resetTokens(app)
    const { code } = (await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).body
    const other = app.visitor()
    expect(await logInStatus(other, OLD_PASSWORD, BEN)).toBe(200)
    const path = `/api/admin/users/${Ben.id}/suspension`
    expect([(await Ann.put(path)).status, (await Ann.delete(path)).status]).toEqual([200, 200])
    const challenge = await other.post('/two-factor-challenge', { code: totpCode(secret, 1) })
    expect(challenge.status).toBe(422)
    expect((await resetPassword(app.visitor(), { token })).status).toBe(422)
    expect((await resetPassword(app.visitor(), { email: BEN, code })).status).toBe(422)
  })

  test('ends a change of the address, which cannot complete during the suspension or after it', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await Ben.post('/api/account/email', { email: 'new@engawa.example' })
    const text = (await unsentMails(app)).at(-1)!.text
    const token = /#verify=([\w-]+)/.exec(text)![1]
    const verify = async () => {
      const stranger = app.visitor()
      await stranger.get('/sanctum/csrf-cookie')
      return (await stranger.post('/api/account/email/verify', { token })).status
    }
    const path = `/api/admin/users/${Ben.id}/suspension`
    const [change] = await app.db.selectFrom('email_changes').selectAll().execute()
    await Ann.put(path)
    expect(await app.db.selectFrom('email_changes').selectAll().execute()).toEqual([])
    // Stores the deleted email change again, as a request could have done that ran at the same moment as the
    // suspension.
    await transaction(app.db, (tx) => tx.insertInto('email_changes').values(change!).execute())
    expect(await verify()).toBe(403)
    await transaction(app.db, (tx) => tx.deleteFrom('email_changes').execute())
    await Ann.delete(path)
    expect(await verify()).toBe(403)
    expect((await readRows(app.db, 'users')).map(({ email }) => email).sort()).toEqual([ANN_EMAIL, BEN])
  })

  test('delays the admin right of ADMIN_EMAIL until it ends', async () => {
    const app = await appWithMails(dialect, { ADMIN_EMAIL: BEN })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const { link } = (await Ann.get(`/api/admin/users/${Ben.id}/verification-link`)).body
    const { pathname, search } = new URL(link)
    const admins = async () => (await readRows(app.db, 'admins')).map(({ user_id }) => Number(user_id))
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect((await app.visitor().get(`/api${pathname}${search}`)).status).toBe(200)
    await transaction(app.db, (tx) => credentials.proveEmail(tx, app.config, Ben.id))
    expect(await admins()).toEqual([Ann.id])
    expect((await Ann.delete(`/api/admin/users/${Ann.id}/admin`)).status).toBe(403)
    await Ann.delete(`/api/admin/users/${Ben.id}/suspension`)
    expect((await admins()).sort()).toEqual([Ann.id, Ben.id])
  })
})

import { describe, expect, test } from 'vitest'
import { isPostgres } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import * as credentials from '#features/people/credentials.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { databases, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { createDevice } from './authenticator.ts'
import {
  ANN_EMAIL,
  appWithAnnAndBen,
  changeEmail,
  emailChangeToken,
  logInStatus,
  NEW_PASSWORD,
  OLD_PASSWORD,
  requestReset,
  resetPassword,
  resetTokens,
  visitorOf,
} from './resets.ts'

// The tests of this file check that a thief keeps no access when a request of the thief runs at the same time
// as the owner's request that locks the thief out, whichever commits first.

const EVIL = 'evil paper lanterns'

const openVisitors = (app: TestApp, count: number) =>
  Promise.all(Array.from({ length: count }, () => visitorOf(app)))

const changePassword = (client: TestClient, current_password: string, password: string) =>
  client.put('/api/account/password', { current_password, password, password_confirmation: password })

async function countLoggedIn(clients: readonly TestClient[]) {
  const answers = await Promise.all(clients.map((client) => client.get('/api/user')))
  return answers.filter(({ status }) => status === 200).length
}

/**
 * Locks the row of an account until the returned function is called, so that requests wait for the lock.
 * Does nothing on SQLite, whose transactions run one after another.
 */
async function holdAccount({ db }: TestApp, id: number) {
  if (!isPostgres(db)) return async () => {}
  const released = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const done = transaction(db, async (tx) => {
    await credentials.lock(tx, id)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return async () => {
    released.resolve()
    await done
  }
}

/** The time in ms that the tests wait, so that a request has reached the lock of its account. */
const LOCK_WAIT = 1500

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(databases)('at the same moment on %s', (dialect) => {
  const open = () => appWithAnnAndBen(dialect)

  test('log-ins with the old password do not survive a changed password', async () => {
    const { app, Ann } = await open()
    const thieves = await openVisitors(app, 4)
    const release = await holdAccount(app, Ann.id)
    // The owner's change of the password is the first to wait for the lock. The thief's log-ins wait behind
    // it; they have already checked the old password.
    const change = changePassword(Ann, OLD_PASSWORD, NEW_PASSWORD)
    await wait(LOCK_WAIT)
    const logIns = thieves.map((thief) => thief.post('/login', { email: ANN_EMAIL, password: OLD_PASSWORD }))
    await wait(LOCK_WAIT)
    await release()
    expect((await change).status).toBe(200)
    for (const { status } of await Promise.all(logIns)) expect([204, 422]).toContain(status)
    expect(await countLoggedIn(thieves)).toBe(0)
    expect(await countLoggedIn([Ann])).toBe(1)
  })

  test('log-ins with the old password do not survive a reset', async () => {
    const { app, Ann } = await open()
    await requestReset(app.visitor())
    const [token] = await resetTokens(app)
    const thieves = await openVisitors(app, 4)
    const release = await holdAccount(app, Ann.id)
    const reset = resetPassword(app.visitor(), { token })
    await wait(LOCK_WAIT)
    const logIns = thieves.map((thief) => thief.post('/login', { email: ANN_EMAIL, password: OLD_PASSWORD }))
    await wait(LOCK_WAIT)
    await release()
    expect((await reset).status).toBe(200)
    await Promise.all(logIns)
    expect(await countLoggedIn(thieves)).toBe(0)
  })

  test('a password of the thief does not replace that of a reset', async () => {
    const { app, Ann: thief } = await open()
    await requestReset(app.visitor())
    const [token] = await resetTokens(app)
    const [change, reset] = await Promise.all([
      changePassword(thief, OLD_PASSWORD, EVIL),
      resetPassword(app.visitor(), { token }),
    ])
    expect([200, 401, 422]).toContain(change.status)
    // If the password change commits first, it makes the link for a new password invalid, and the owner has
    // to request another link.
    expect(change.status === 200 || reset.status === 200).toBe(true)
    expect(await logInStatus(app.visitor(), reset.status === 200 ? EVIL : NEW_PASSWORD)).toBe(422)
  })

  test('no log-in without the second step survives its start', async () => {
    const { app, Ann } = await open()
    const { secret } = (await Ann.post('/api/account/one-time-codes')).body
    const thieves = await openVisitors(app, 4)
    const logIns = thieves.map((thief) => thief.post('/login', { email: ANN_EMAIL, password: OLD_PASSWORD }))
    const code = totpCode(secret)
    expect((await Ann.post('/api/account/one-time-codes/confirm', { code })).status).toBe(200)
    await Promise.all(logIns)
    expect(await countLoggedIn(thieves)).toBe(0)
  })

  test('a session that has ended adds nothing to the account', async () => {
    const { app, Ann: thief } = await open()
    const owner = app.visitor()
    await logInStatus(owner, OLD_PASSWORD)
    const options = (await thief.post('/api/account/passkeys/options')).body
    const release = await holdAccount(app, thief.id)
    // The owner's request is the first to wait for the lock, and the thief's requests wait behind it.
    const end = owner.delete('/api/account/sessions')
    await (dialect === 'sqlite' ? end : wait(300))
    const calls = [
      thief.post('/api/account/passkeys', { credential: createDevice().create(options) }),
      thief.post('/api/account/recovery-codes'),
      thief.post('/api/account/email', { email: 'thief@evil.example' }),
      thief.post('/api/account/one-time-codes'),
      thief.post('/api/account/confirm', { password: OLD_PASSWORD }),
      changePassword(thief, OLD_PASSWORD, EVIL),
      thief.send('DELETE', '/api/account', { messages: 'delete' }),
    ]
    await wait(1000)
    await release()
    expect((await end).body).toEqual({ ended: 1 })
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses).toEqual(calls.map(() => 401))
    for (const table of ['passkeys', 'recovery_codes', 'email_changes', 'account_deletions'] as const)
      expect(await readRows(app.db, table), table).toEqual([])
    expect(await logInStatus(app.visitor(), EVIL)).toBe(422)
  })

  test('an undo of a changed address leaves nothing of the thief', async () => {
    const { app, Ann: thief } = await open()
    await changeEmail(app, thief, 'thief@evil.example')
    const token = await emailChangeToken(app, ANN_EMAIL, 'undo')
    const owner = await visitorOf(app)
    const [undone] = await Promise.all([
      owner.post('/api/account/email/undo', { token }),
      thief.post('/api/account/recovery-codes'),
      thief.post('/api/account/email', { email: 'second@evil.example' }),
    ])
    expect(undone.status).toBe(200)
    for (const table of ['recovery_codes', 'email_changes'] as const)
      expect(await readRows(app.db, table), table).toEqual([])
  })

  test('new recovery codes and pending addresses replace each other', async () => {
    const { app, Ann } = await open()
    await Promise.all([1, 2, 3].map(() => Ann.post('/api/account/recovery-codes')))
    expect((await Ann.get('/api/account/recovery-codes')).body).toEqual({ left: 10 })
    const emails = ['x@engawa.example', 'y@engawa.example', 'z@engawa.example']
    await Promise.all(emails.map((email) => Ann.post('/api/account/email', { email })))
    expect(await readRows(app.db, 'email_changes')).toHaveLength(1)
  })

  test('an admin who loses the right changes no account', async () => {
    const { app, Ann, Ben } = await open()
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    const { Chika } = await app.members('Chika')
    const release = await holdAccount(app, Ben.id)
    const revoke = Ann.delete(`/api/admin/users/${Ben.id}/admin`)
    await (dialect === 'sqlite' ? revoke : wait(300))
    const releaseTarget = await holdAccount(app, Chika.id)
    const calls = [
      Ben.put(`/api/admin/users/${Chika.id}/admin`),
      Ben.put(`/api/admin/users/${Chika.id}/suspension`),
      Ben.post(`/api/admin/users/${Chika.id}/reset-code`),
    ]
    await wait(300)
    await release()
    expect((await revoke).status).toBe(200)
    await releaseTarget()
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses).toEqual([403, 403, 403])
    expect(await readRows(app.db, 'admins')).toMatchObject([{ user_id: Ann.id }])
    expect(await readRows(app.db, 'suspensions')).toEqual([])
  })
})

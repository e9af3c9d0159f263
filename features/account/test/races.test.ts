import { describe, expect, test } from 'vitest'
import { isPostgres } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { lockAccount } from '#features/people/credentials.ts'
import { showAuthenticatorCode } from '#tests/authenticator-app.ts'
import { dialects, readTableRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { verifyAllAddresses } from '#tests/verified-addresses.ts'
import { createAuthenticator } from './authenticator.ts'
import {
  ANN,
  createAppWithUnsentMails,
  forgetPassword,
  listTokens,
  listUnsentMails,
  logIn,
  NEW,
  OLD,
  resetPassword,
} from './resets.ts'

// A thief's request runs while the owner closes the account to the thief. Whichever commits first, the thief
// has nothing afterwards.

const EVIL = 'evil paper lanterns'

async function openVisitors(app: TestApp, count: number) {
  const visitors = Array.from({ length: count }, () => app.visitor())
  for (const visitor of visitors) await visitor.get('/sanctum/csrf-cookie')
  return visitors
}

const changePassword = (client: TestClient, current_password: string, password: string) =>
  client.put('/api/account/password', { current_password, password, password_confirmation: password })

async function countLoggedIn(clients: readonly TestClient[]) {
  const answers = await Promise.all(clients.map((client) => client.get('/api/user')))
  return answers.filter(({ status }) => status === 200).length
}

/**
 * Holds the lock of an account until the returned function is called. Does nothing on SQLite, whose
 * transactions run one after the other.
 */
async function holdAccount({ db }: TestApp, id: number) {
  if (!isPostgres(db)) return async () => {}
  const released = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const done = transaction(db, async (tx) => {
    await lockAccount(tx, id)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return async () => {
    released.resolve()
    await done
  }
}

/** The time in ms in which a request gets as far as the lock of its account. */
const LOCK_WAIT = 1500

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(dialects)('at the same moment on %s', (dialect) => {
  async function open() {
    const app = await createAppWithUnsentMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await verifyAllAddresses(app)
    return { app, Ann, Ben }
  }

  test('log-ins with the old password do not survive a changed password', async () => {
    const { app, Ann } = await open()
    const thieves = await openVisitors(app, 4)
    const release = await holdAccount(app, Ann.id)
    // The owner's request waits for the lock first. The log-ins, whose password is still right, wait after it.
    const change = changePassword(Ann, OLD, NEW)
    await wait(LOCK_WAIT)
    const logIns = thieves.map((thief) => thief.post('/login', { email: ANN, password: OLD }))
    await wait(LOCK_WAIT)
    await release()
    expect((await change).status).toBe(200)
    for (const { status } of await Promise.all(logIns)) expect([204, 422]).toContain(status)
    expect(await countLoggedIn(thieves)).toBe(0)
    expect(await countLoggedIn([Ann])).toBe(1)
  })

  test('log-ins with the old password do not survive a reset', async () => {
    const { app, Ann } = await open()
    await forgetPassword(app.visitor())
    const [token] = await listTokens(app)
    const thieves = await openVisitors(app, 4)
    const release = await holdAccount(app, Ann.id)
    const reset = resetPassword(app.visitor(), { token })
    await wait(LOCK_WAIT)
    const logIns = thieves.map((thief) => thief.post('/login', { email: ANN, password: OLD }))
    await wait(LOCK_WAIT)
    await release()
    expect((await reset).status).toBe(200)
    await Promise.all(logIns)
    expect(await countLoggedIn(thieves)).toBe(0)
  })

  test('a password of the thief does not replace that of a reset', async () => {
    const { app, Ann: thief } = await open()
    await forgetPassword(app.visitor())
    const [token] = await listTokens(app)
    const [change, reset] = await Promise.all([
      changePassword(thief, OLD, EVIL),
      resetPassword(app.visitor(), { token }),
    ])
    expect([200, 401, 422]).toContain(change.status)
    // A password change that comes first ends the link, and then the owner asks for another one.
    expect(change.status === 200 || reset.status === 200).toBe(true)
    expect(await logIn(app.visitor(), reset.status === 200 ? EVIL : NEW)).toBe(422)
  })

  test('no log-in without the second step survives its start', async () => {
    const { app, Ann } = await open()
    const { secret } = (await Ann.post('/api/account/one-time-codes')).body
    const thieves = await openVisitors(app, 4)
    const logIns = thieves.map((thief) => thief.post('/login', { email: ANN, password: OLD }))
    const code = showAuthenticatorCode(secret)
    expect((await Ann.post('/api/account/one-time-codes/confirm', { code })).status).toBe(200)
    await Promise.all(logIns)
    expect(await countLoggedIn(thieves)).toBe(0)
  })

  test('a session that has ended adds nothing to the account', async () => {
    const { app, Ann: thief } = await open()
    const owner = app.visitor()
    await logIn(owner, OLD)
    const options = (await thief.post('/api/account/passkeys/options')).body
    const release = await holdAccount(app, thief.id)
    // The owner's request waits for the lock first, and the thief's requests after it.
    const end = owner.delete('/api/account/sessions')
    await (dialect === 'sqlite' ? end : wait(300))
    const calls = [
      thief.post('/api/account/passkeys', { credential: createAuthenticator().create(options) }),
      thief.post('/api/account/recovery-codes'),
      thief.post('/api/account/email', { email: 'thief@evil.example' }),
      thief.post('/api/account/one-time-codes'),
      thief.post('/api/account/confirm', { password: OLD }),
      changePassword(thief, OLD, EVIL),
      thief.send('DELETE', '/api/account', { messages: 'delete' }),
    ]
    await wait(1000)
    await release()
    expect((await end).body).toEqual({ ended: 1 })
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses).toEqual(calls.map(() => 401))
    for (const table of ['passkeys', 'recovery_codes', 'email_changes', 'account_deletions'] as const)
      expect(await readTableRows(app.db, table), table).toEqual([])
    expect(await logIn(app.visitor(), EVIL)).toBe(422)
  })

  test('an undo of a changed address leaves nothing of the thief', async () => {
    const { app, Ann: thief } = await open()
    const email = 'thief@evil.example'
    await thief.post('/api/account/email', { email })
    const findLink = async (kind: string) =>
      (await listUnsentMails(app)).flatMap(
        ({ text }) => new RegExp(`#${kind}=([\\w-]+)`).exec(text)?.[1] ?? [],
      )[0]
    await thief.post('/api/account/email/verify', { token: await findLink('verify') })
    const token = await findLink('undo')
    const [owner] = await openVisitors(app, 1)
    const [undone] = await Promise.all([
      owner!.post('/api/account/email/undo', { token }),
      thief.post('/api/account/recovery-codes'),
      thief.post('/api/account/email', { email: 'second@evil.example' }),
    ])
    expect(undone.status).toBe(200)
    for (const table of ['recovery_codes', 'email_changes'] as const)
      expect(await readTableRows(app.db, table), table).toEqual([])
  })

  test('new recovery codes and pending addresses replace each other', async () => {
    const { app, Ann } = await open()
    await Promise.all([1, 2, 3].map(() => Ann.post('/api/account/recovery-codes')))
    expect((await Ann.get('/api/account/recovery-codes')).body).toEqual({ left: 10 })
    const emails = ['x@engawa.example', 'y@engawa.example', 'z@engawa.example']
    await Promise.all(emails.map((email) => Ann.post('/api/account/email', { email })))
    expect(await readTableRows(app.db, 'email_changes')).toHaveLength(1)
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
    expect(await readTableRows(app.db, 'admins')).toMatchObject([{ user_id: Ann.id }])
    expect(await readTableRows(app.db, 'suspensions')).toEqual([])
  })
})

import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { createDevice } from './authenticator.ts'
import { addPasskey } from './passkey-clients.ts'
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
  unsentMails,
  visitorOf,
} from './resets.ts'

// The tests of this file check that owners get their account back after a thief who knows the password has
// changed the email address of the account.

const EVIL = 'thief@evil.example'

const undo = async (app: TestApp, token: string | undefined) =>
  (await (await visitorOf(app)).post('/api/account/email/undo', { token })).status

async function register(app: TestApp, email: string) {
  const visitor = await visitorOf(app)
  const passwords = { password: OLD_PASSWORD, password_confirmation: OLD_PASSWORD }
  return visitor.post('/api/register', { name: 'Zoe', email, ...passwords })
}

const readEmails = async (app: TestApp) => (await readRows(app.db, 'users')).map(({ email }) => email)

/** Changes the database as if all members had turned their second step on `days` days ago. */
const ageSecondSteps = ({ db }: TestApp, days: number) =>
  transaction(db, (tx) =>
    tx
      .updateTable('one_time_secrets')
      .set({ confirmed_at: new Date(Date.now() - days * 24 * 3600_000).toISOString() })
      .execute(),
  )

const inDays = (days: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 24 * 3600_000 + 60_000 })
afterEach(() => vi.useRealTimers())

describe.each(dialectsInTurn())('a stolen e-mail address on %s', (dialect) => {
  async function open() {
    const { app, Ann, Ben } = await appWithAnnAndBen(dialect)
    const thief = app.visitor()
    expect(await logInStatus(thief, OLD_PASSWORD)).toBe(204)
    return { app, Ann, Ben, thief }
  }

  test('that an owner of ADMIN_EMAIL had proven takes the right away when it is undone', async () => {
    const boss = 'boss@engawa.example'
    const { app, Ben } = await appWithAnnAndBen(dialect, { ADMIN_EMAIL: boss })
    await Ben.post('/api/account/email', { email: boss })
    const token = await emailChangeToken(app, boss, 'verify')
    const owner = await visitorOf(app)
    expect((await owner.post('/api/account/email/verify', { token })).status).toBe(200)
    await requestReset(owner, boss)
    const reset = (await resetTokens(app)).at(-1)!
    expect((await resetPassword(owner, { token: reset })).status).toBe(200)
    const admins = async () => (await readRows(app.db, 'admins')).map(({ user_id }) => user_id)
    expect(await admins()).toContain(Ben.id)
    const undoToken = await emailChangeToken(app, 'ben@engawa.example', 'undo')
    expect(await undo(app, undoToken)).toBe(200)
    expect(await admins()).not.toContain(Ben.id)
  })

  test('gives no right of ADMIN_EMAIL if only its owner opens the link, but in a session of the account', async () => {
    const boss = 'boss@engawa.example'
    const { app, Ben } = await appWithAnnAndBen(dialect, { ADMIN_EMAIL: boss })
    const change = async (email: string, opener: TestClient) => {
      await Ben.post('/api/account/email', { email })
      const token = await emailChangeToken(app, email, 'verify')
      expect((await opener.post('/api/account/email/verify', { token })).status).toBe(200)
      return (await Ben.get('/api/user')).body.is_admin
    }
    expect(await change(boss, await visitorOf(app))).toBe(false)
    expect(await change('ben@other.example', Ben)).toBe(false)
    expect(await change(boss, Ben)).toBe(true)
  })

  test('takes the right of ADMIN_EMAIL away after another change too, but not an older right', async () => {
    const boss = 'boss@engawa.example'
    const { app, Ann, Ben } = await appWithAnnAndBen(dialect, { ADMIN_EMAIL: boss })
    const admins = async () => (await readRows(app.db, 'admins')).map(({ user_id }) => user_id)
    await changeEmail(app, Ben, boss)
    await changeEmail(app, Ben, 'boss@other.example')
    expect(await admins()).toEqual([Ann.id, Ben.id])
    await changeEmail(app, Ann, 'ann@other.example')
    for (const email of ['ben@engawa.example', ANN_EMAIL])
      expect(await undo(app, await emailChangeToken(app, email, 'undo'))).toBe(200)
    expect(await admins()).toEqual([Ann.id])
  })

  test('goes back to the oldest address of the week, and the thief cannot undo that', async () => {
    const { app, thief } = await open()
    await changeEmail(app, thief, EVIL)
    await changeEmail(app, thief, 'second@evil.example')
    const ofThief = await emailChangeToken(app, EVIL, 'undo')
    expect(await undo(app, await emailChangeToken(app, ANN_EMAIL, 'undo'))).toBe(200)
    expect(await undo(app, ofThief)).toBe(403)
    expect(await readEmails(app)).toContain(ANN_EMAIL)
    expect(await readRows(app.db, 'email_changes')).toEqual([])
    expect(await readRows(app.db, 'reserved_emails')).toEqual([])
  })

  test('goes back to the oldest address also after the thief has undone a later change', async () => {
    const { app, thief } = await open()
    await changeEmail(app, thief, EVIL)
    await changeEmail(app, thief, 'second@evil.example')
    expect(await undo(app, await emailChangeToken(app, EVIL, 'undo'))).toBe(200)
    expect(await readEmails(app)).toContain(EVIL)
    expect(await undo(app, await emailChangeToken(app, ANN_EMAIL, 'undo'))).toBe(200)
    expect(await readEmails(app)).toContain(ANN_EMAIL)
  })

  test('cannot be stolen again after the owner has changed it back by hand', async () => {
    const { app, Ann, thief } = await open()
    await changeEmail(app, thief, EVIL)
    await changeEmail(app, Ann, ANN_EMAIL)
    expect(await emailChangeToken(app, EVIL, 'undo')).toBeUndefined()
    expect((await unsentMails(app)).at(-1)).toMatchObject({
      to: EVIL,
      text: expect.stringContaining('please tell an admin'),
    })
    expect(await undo(app, await emailChangeToken(app, ANN_EMAIL, 'undo'))).toBe(403)
    expect(await readRows(app.db, 'reserved_emails')).toEqual([])
  })

  test('stays reserved for a week: nobody registers it, or changes theirs to it', async () => {
    const { app, Ben, thief } = await open()
    await changeEmail(app, thief, EVIL)
    const taken = await register(app, 'ben@engawa.example')
    for (const email of [ANN_EMAIL, ANN_EMAIL.toUpperCase()])
      expect(await register(app, email)).toMatchObject({
        status: 422,
        body: taken.body,
      })
    expect((await Ben.post('/api/account/email', { email: ANN_EMAIL })).status).toBe(422)
    inDays(7)
    expect((await register(app, ANN_EMAIL)).status).toBe(200)
    expect(await undo(app, await emailChangeToken(app, ANN_EMAIL, 'undo'))).toBe(403)
  })

  test('is free after the account is deleted', async () => {
    const { app, Ben } = await open()
    await changeEmail(app, Ben, 'other@engawa.example')
    expect((await register(app, 'ben@engawa.example')).status).toBe(422)
    await transaction(app.db, (tx) => deleteMember(app.context, tx, { id: Ben.id, keep_messages: false }))
    expect((await register(app, 'ben@engawa.example')).status).toBe(200)
  })

  test('gets no mail and no undo, if nobody has verified it', async () => {
    const { app, Ann } = await open()
    await transaction(app.db, (tx) => tx.updateTable('users').set({ email_verified_at: null }).execute())
    const before = (await unsentMails(app)).filter(({ to }) => to === ANN_EMAIL)
    await changeEmail(app, Ann, 'right@engawa.example')
    expect((await unsentMails(app)).filter(({ to }) => to === ANN_EMAIL)).toEqual(before)
    expect((await register(app, ANN_EMAIL)).status).toBe(200)
  })

  test('takes along what the thief has added since, and leaves an older second step', async () => {
    const { app, Ben, thief } = await open()
    const { secret } = (await Ben.post('/api/account/one-time-codes')).body
    await Ben.post('/api/account/one-time-codes/confirm', { code: totpCode(secret) })
    await ageSecondSteps(app, 8)
    await changeEmail(app, Ben, 'other@engawa.example')
    expect(await undo(app, await emailChangeToken(app, 'ben@engawa.example', 'undo'))).toBe(200)
    expect(await readRows(app.db, 'one_time_secrets')).toHaveLength(1)

    await changeEmail(app, thief, EVIL)
    await addPasskey(thief, createDevice())
    const added = (await thief.post('/api/account/one-time-codes')).body
    await thief.post('/api/account/one-time-codes/confirm', { code: totpCode(added.secret) })
    expect(await undo(app, await emailChangeToken(app, ANN_EMAIL, 'undo'))).toBe(200)
    for (const table of ['passkeys', 'recovery_codes', 'sessions'] as const)
      expect(await readRows(app.db, table), table).toEqual([])
    expect(await readRows(app.db, 'one_time_secrets')).toMatchObject([{ user_id: Ben.id }])
    const owner = app.visitor()
    await requestReset(owner)
    expect(
      (
        await resetPassword(owner, {
          token: (await resetTokens(app)).at(-1),
        })
      ).status,
    ).toBe(200)
    expect(await logInStatus(owner, NEW_PASSWORD)).toBe(204)
  })
  test('takes along a second step of the thief that is older than the change', async () => {
    const { app, Ann, Ben } = await appWithAnnAndBen(dialect)
    // The thief has a session of the owner, and turns the second step on, which locks the owner out. The
    // thief changes the email address six days later.
    const { secret } = (await Ann.post('/api/account/one-time-codes')).body
    await Ann.post('/api/account/one-time-codes/confirm', { code: totpCode(secret) })
    await ageSecondSteps(app, 6)
    await changeEmail(app, Ann, EVIL)
    expect(await undo(app, await emailChangeToken(app, ANN_EMAIL, 'undo'))).toBe(200)
    for (const table of ['one_time_secrets', 'recovery_codes'] as const)
      expect(await readRows(app.db, table), table).toEqual([])
    const owner = app.visitor()
    await requestReset(owner)
    expect(
      (
        await resetPassword(owner, {
          token: (await resetTokens(app)).at(-1),
        })
      ).status,
    ).toBe(200)
    expect(await logInStatus(owner, NEW_PASSWORD)).toBe(204)
    expect((await owner.get('/api/user')).body.id).toBe(Ann.id)
    expect((await Ben.get('/api/user')).status).toBe(200)
  })
})

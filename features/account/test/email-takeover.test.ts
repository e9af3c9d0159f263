import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { showAuthenticatorCode } from '#tests/authenticator-app.ts'
import { dialects, readTableRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { verifyAllAddresses } from '#tests/verified-addresses.ts'
import { createAuthenticator } from './authenticator.ts'
import { addPasskey } from './passkey-clients.ts'
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

// A thief knows the password, and changes the address of the account. The owner gets the account back.

const EVIL = 'thief@evil.example'

async function openVisitor(app: TestApp) {
  const visitor = app.visitor()
  await visitor.get('/sanctum/csrf-cookie')
  return visitor
}

/** Returns the newest token that was mailed to an address; undefined if there is none. */
async function findToken(app: TestApp, to: string, kind: 'verify' | 'undo') {
  const mails = (await listUnsentMails(app)).filter((mail) => mail.to === to)
  return mails.flatMap(({ text }) => new RegExp(`#${kind}=([\\w-]+)`).exec(text)?.[1] ?? []).at(-1)
}

/** Changes the address of a member, and opens the link of the new address. */
async function changeEmail(app: TestApp, client: TestClient, email: string) {
  expect((await client.post('/api/account/email', { email })).status).toBe(200)
  const token = await findToken(app, email, 'verify')
  expect((await client.post('/api/account/email/verify', { token })).status).toBe(200)
}

const undo = async (app: TestApp, token: string | undefined) =>
  (await (await openVisitor(app)).post('/api/account/email/undo', { token })).status

async function register(app: TestApp, email: string) {
  const visitor = await openVisitor(app)
  const passwords = { password: OLD, password_confirmation: OLD }
  return visitor.post('/api/register', { name: 'Zoe', email, ...passwords })
}

const readEmails = async (app: TestApp) => (await readTableRows(app.db, 'users')).map(({ email }) => email)

const inDays = (days: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 24 * 3600_000 + 60_000 })
afterEach(() => vi.useRealTimers())

describe.each(dialects)('a stolen e-mail address on %s', (dialect) => {
  async function open() {
    const app = await createAppWithUnsentMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await verifyAllAddresses(app)
    const thief = app.visitor()
    expect(await logIn(thief, OLD)).toBe(204)
    return { app, Ann, Ben, thief }
  }

  test('goes back to the oldest address of the week, and the thief cannot undo that', async () => {
    const { app, thief } = await open()
    await changeEmail(app, thief, EVIL)
    await changeEmail(app, thief, 'second@evil.example')
    const ofThief = await findToken(app, EVIL, 'undo')
    expect(await undo(app, await findToken(app, ANN, 'undo'))).toBe(200)
    expect(await undo(app, ofThief)).toBe(403)
    expect(await readEmails(app)).toContain(ANN)
    expect(await readTableRows(app.db, 'email_changes')).toEqual([])
    expect(await readTableRows(app.db, 'reserved_emails')).toEqual([])
  })

  test('goes back to the oldest address also after the thief has undone a later change', async () => {
    const { app, thief } = await open()
    await changeEmail(app, thief, EVIL)
    await changeEmail(app, thief, 'second@evil.example')
    expect(await undo(app, await findToken(app, EVIL, 'undo'))).toBe(200)
    expect(await readEmails(app)).toContain(EVIL)
    expect(await undo(app, await findToken(app, ANN, 'undo'))).toBe(200)
    expect(await readEmails(app)).toContain(ANN)
  })

  test('cannot be stolen again after the owner has changed it back by hand', async () => {
    const { app, Ann, thief } = await open()
    await changeEmail(app, thief, EVIL)
    await changeEmail(app, Ann, ANN)
    expect(await findToken(app, EVIL, 'undo')).toBeUndefined()
    expect((await listUnsentMails(app)).at(-1)).toMatchObject({
      to: EVIL,
      text: expect.stringContaining('please tell an admin'),
    })
    expect(await undo(app, await findToken(app, ANN, 'undo'))).toBe(403)
    expect(await readTableRows(app.db, 'reserved_emails')).toEqual([])
  })

  test('stays reserved for a week: nobody registers it, or changes theirs to it', async () => {
    const { app, Ben, thief } = await open()
    await changeEmail(app, thief, EVIL)
    const taken = await register(app, 'ben@engawa.example')
    for (const email of [ANN, ANN.toUpperCase()])
      expect(await register(app, email)).toMatchObject({
        status: 422,
        body: taken.body,
      })
    expect((await Ben.post('/api/account/email', { email: ANN })).status).toBe(422)
    inDays(7)
    expect((await register(app, ANN)).status).toBe(200)
    expect(await undo(app, await findToken(app, ANN, 'undo'))).toBe(403)
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
    const before = (await listUnsentMails(app)).filter(({ to }) => to === ANN)
    await changeEmail(app, Ann, 'right@engawa.example')
    expect((await listUnsentMails(app)).filter(({ to }) => to === ANN)).toEqual(before)
    expect((await register(app, ANN)).status).toBe(200)
  })

  test('takes along what the thief has added since, and leaves an older second step', async () => {
    const { app, Ben, thief } = await open()
    const { secret } = (await Ben.post('/api/account/one-time-codes')).body
    await Ben.post('/api/account/one-time-codes/confirm', { code: showAuthenticatorCode(secret) })
    await changeEmail(app, Ben, 'other@engawa.example')
    expect(await undo(app, await findToken(app, 'ben@engawa.example', 'undo'))).toBe(200)
    expect(await readTableRows(app.db, 'one_time_secrets')).toHaveLength(1)

    await changeEmail(app, thief, EVIL)
    await addPasskey(thief, createAuthenticator())
    const added = (await thief.post('/api/account/one-time-codes')).body
    await thief.post('/api/account/one-time-codes/confirm', { code: showAuthenticatorCode(added.secret) })
    expect(await undo(app, await findToken(app, ANN, 'undo'))).toBe(200)
    for (const table of ['passkeys', 'recovery_codes', 'sessions'] as const)
      expect(await readTableRows(app.db, table), table).toEqual([])
    expect(await readTableRows(app.db, 'one_time_secrets')).toMatchObject([{ user_id: Ben.id }])
    const owner = app.visitor()
    await forgetPassword(owner)
    expect((await resetPassword(owner, { token: (await listTokens(app)).at(-1) })).status).toBe(200)
    expect(await logIn(owner, NEW)).toBe(204)
  })
})

import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { securityKinds } from '#tests/account-security.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'
import {
  ANN_EMAIL,
  appWithMails,
  logInStatus,
  NEW_PASSWORD,
  OLD_PASSWORD,
  requestReset,
  resetPassword,
  resetTokens,
  unsentMails,
} from './resets.ts'

const inMinutes = (minutes: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
afterEach(() => vi.useRealTimers())

const verifyAddresses = ({ db }: TestApp) =>
  transaction(db, (tx) =>
    tx.updateTable('users').set({ email_verified_at: new Date().toISOString() }).execute(),
  )

describe.each(dialectsInTurn())('a password reset with a code on %s', (dialect) => {
  const open = () => appWithMails(dialect)
  const createRecoveryCode = async (client: TestClient): Promise<string> =>
    (await client.post('/api/account/recovery-codes')).body.codes[0]

  test('works once with a recovery code, for its own account', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const code = await createRecoveryCode(Ann)
    const wrong = await resetPassword(app.visitor(), { email: 'ben@engawa.example', code })
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['code']])
    expect((await resetPassword(app.visitor(), { email: 'ANN@engawa.example', code })).status).toBe(200)
    expect((await Ann.get('/api/user')).status).toBe(401)
    expect((await Ben.get('/api/user')).status).toBe(200)
    const again = await resetPassword(app.visitor(), { email: ANN_EMAIL, code }, 'a third password')
    expect([again.status, again.body]).toEqual([wrong.status, wrong.body])
    const phone = app.visitor()
    expect(await logInStatus(phone, NEW_PASSWORD)).toBe(204)
    expect((await securityKinds(phone)).slice(0, 3)).toEqual([
      'logged_in',
      'password_reset',
      'recovery_code_used',
    ])
    expect((await phone.get('/api/account/recovery-codes')).body).toEqual({ left: 9 })
  })

  test('works once with the code of an admin, for half an hour; a newer one replaces it', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await verifyAddresses(app)
    const email = 'ben@engawa.example'
    const create = async () => (await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).body.code as string
    const replaced = await create()
    const code = await create()
    expect(code).toMatch(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/)
    expect((await resetPassword(app.visitor(), { email, code: replaced })).status).toBe(422)
    expect((await resetPassword(app.visitor(), { email: ANN_EMAIL, code })).status).toBe(422)
    const typed = code.replaceAll('-', ' ').toUpperCase()
    expect((await resetPassword(app.visitor(), { email, code: typed })).status).toBe(200)
    expect((await resetPassword(app.visitor(), { email, code })).status).toBe(422)
    expect((await Ben.get('/api/user')).status).toBe(401)
    const phone = app.visitor()
    expect(await logInStatus(phone, NEW_PASSWORD, email)).toBe(204)
    const { body } = await phone.get('/api/account/security-events')
    expect(body.slice(1, 4)).toMatchObject([
      { kind: 'password_reset', by_admin: false },
      { kind: 'reset_code_created', by_admin: true, network: null },
      { kind: 'reset_code_created', by_admin: true },
    ])
    const mails = (await unsentMails(app)).filter(({ to }) => to === email)
    expect(mails.map(({ subject }) => subject)).toContain('A code for a new password for Engawa')
    expect(JSON.stringify(mails)).not.toContain(code)
    const late = await create()
    inMinutes(31)
    expect((await resetPassword(app.visitor(), { email, code: late })).status).toBe(422)
  })

  test('does not open the account of a member who is suspended or has become an admin', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const email = 'ben@engawa.example'
    const recoveryCode = await createRecoveryCode(Ben)
    const { code } = (await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).body
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    for (const one of [code, recoveryCode])
      expect((await resetPassword(app.visitor(), { email, code: one })).status).toBe(422)
    await Ann.delete(`/api/admin/users/${Ben.id}/suspension`)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    expect((await resetPassword(app.visitor(), { email, code })).status).toBe(422)
    expect(await logInStatus(app.visitor(), OLD_PASSWORD, email)).toBe(204)
    expect((await resetPassword(app.visitor(), { email, code: recoveryCode })).status).toBe(200)
  })

  test('keeps the second step, and ends a log-in that waits for it', async () => {
    const app = await open()
    const { Ann } = await app.members('Ann')
    await verifyAllEmails(app)
    const recoveryCode = await createRecoveryCode(Ann)
    const path = '/api/account/one-time-codes'
    const { secret } = (await Ann.post(path)).body
    const { body } = await Ann.post(`${path}/confirm`, { code: totpCode(secret) })
    const [thief, phone] = [app.visitor(), app.visitor()]
    expect(await logInStatus(thief, OLD_PASSWORD)).toBe(200)
    // The server refuses the old recovery code, because turning the second step on has replaced all recovery
    // codes.
    expect((await resetPassword(app.visitor(), { email: ANN_EMAIL, code: recoveryCode })).status).toBe(422)
    const [first, second] = body.recovery_codes
    await requestReset(app.visitor())
    const [token] = await resetTokens(app)
    expect((await resetPassword(app.visitor(), { token })).status).toBe(200)
    expect((await thief.post('/two-factor-challenge', { recovery_code: first })).status).toBe(422)
    expect(await logInStatus(phone, NEW_PASSWORD)).toBe(200)
    expect((await phone.get('/api/user')).status).toBe(401)
    expect((await phone.post('/two-factor-challenge', { recovery_code: second })).status).toBe(204)
    expect((await phone.get('/api/user')).status).toBe(200)
  })

  test('takes no recovery code while the second step is on, and does not use it up', async () => {
    const app = await open()
    const { Ann } = await app.members('Ann')
    const path = '/api/account/one-time-codes'
    const { secret } = (await Ann.post(path)).body
    const { body } = await Ann.post(`${path}/confirm`, { code: totpCode(secret) })
    const [first, second] = body.recovery_codes
    const wrong = await resetPassword(app.visitor(), {
      email: ANN_EMAIL,
      code: '0000-0000-0000-0000',
    })
    const refused = await resetPassword(app.visitor(), {
      email: ANN_EMAIL,
      code: first,
    })
    expect([refused.status, refused.body]).toEqual([wrong.status, wrong.body])
    expect((await Ann.get('/api/account/recovery-codes')).body).toEqual({ left: 10 })
    expect((await Ann.post(`${path}/remove`, { recovery_code: first })).status).toBe(204)
    expect((await resetPassword(app.visitor(), { email: ANN_EMAIL, code: second })).status).toBe(200)
  })

  test('names the fields that are missing', async () => {
    const app = await open()
    const { body } = await resetPassword(app.visitor(), {})
    expect(Object.keys(body.errors).sort()).toEqual(['code', 'email'])
    expect(Object.keys((await resetPassword(app.visitor(), { email: ANN_EMAIL })).body.errors)).toEqual([
      'code',
    ])
  })

  test('has codes that end when the change of an address is undone', async () => {
    const app = await open()
    const { Ann } = await app.members('Ann')
    await verifyAllEmails(app)
    await Ann.post('/api/account/email', { email: 'new@engawa.example' })
    const mailed = async (action: string) => {
      const texts = (await unsentMails(app)).map(({ text }) => text).join('\n')
      return new RegExp(`#${action}=([\\w-]+)`).exec(texts)![1]!
    }
    await Ann.post('/api/account/email/verify', { token: await mailed('verify') })
    const code = await createRecoveryCode(Ann)
    await app.visitor().get('/sanctum/csrf-cookie')
    expect((await Ann.post('/api/account/email/undo', { token: await mailed('undo') })).status).toBe(200)
    expect((await resetPassword(app.visitor(), { email: ANN_EMAIL, code })).status).toBe(422)
  })
})

describe.each(dialectsInTurn())('the code of an admin on %s', (dialect) => {
  test('needs a confirmation, and is not for admins, nobody and suspended members', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben, Cleo } = await app.members('Ann', 'Ben', 'Cleo')
    const ask = async (id: number) => (await Ann.post(`/api/admin/users/${id}/reset-code`)).status
    expect((await Ben.post(`/api/admin/users/${Cleo.id}/reset-code`)).status).toBe(403)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    await Ann.put(`/api/admin/users/${Cleo.id}/suspension`)
    expect([await ask(Ann.id), await ask(Ben.id), await ask(Cleo.id), await ask(9999)]).toEqual([
      403, 403, 403, 404,
    ])
    expect(await readRows(app.db, 'password_resets')).toEqual([])
    await Ann.delete(`/api/admin/users/${Cleo.id}/suspension`)
    inMinutes(11)
    expect(await ask(Cleo.id)).toBe(423)
    await Ann.post('/api/account/confirm', { password: OLD_PASSWORD })
    expect(await ask(Cleo.id)).toBe(200)
  })
})

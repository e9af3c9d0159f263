import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp } from '#tests/harness.ts'
import { removeSecondStep, setPassword } from '../operator.ts'
import { createDevice } from './authenticator.ts'
import { addPasskey, logInWithPasskey, passkeyRefusal } from './passkey-clients.ts'

const account = { email: 'ben@engawa.example', password: 'correct horse' }

const subjects = async ({ db }: TestApp) =>
  (await readRows(db, 'jobs'))
    .filter(({ kind }) => kind === 'mail')
    .map(({ payload }) => JSON.parse(String(payload)).subject as string)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe.each(dialectsInTurn())('the operator on %s', (dialect) => {
  /** Creates an app with the member Ben, who has one-time codes, a passkey and a verified email address. */
  async function open() {
    const app = await createTestApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await transaction(app.db, (tx) =>
      tx.updateTable('users').set({ email_verified_at: new Date().toISOString() }).execute(),
    )
    const device = createDevice()
    await addPasskey(Ben, device)
    const { secret } = (await Ben.post('/api/account/one-time-codes')).body
    await Ben.post('/api/account/one-time-codes/confirm', { code: totpCode(secret) })
    return { app, Ann, Ben, device, secret: secret as string }
  }

  test('removes one-time codes and passkeys, so that the password alone logs in', async () => {
    const { app, Ben, device } = await open()
    const remove = () => transaction(app.db, (tx) => removeSecondStep(app.context, tx, Ben.id))
    const waiting = app.visitor()
    await waiting.get('/sanctum/csrf-cookie')
    expect((await waiting.post('/login', account)).status).toBe(200)
    expect([await remove(), await remove()]).toEqual([true, false])
    expect(await logInWithPasskey(app.visitor(), device)).toMatchObject(passkeyRefusal)
    const phone = app.visitor()
    await phone.get('/sanctum/csrf-cookie')
    expect((await phone.post('/login', account)).status).toBe(204)
    expect(await readRows(app.db, 'log_in_challenges')).toEqual([])
    const { body } = await Ben.get('/api/account/security-events?limit=3')
    expect(body).toMatchObject([
      { kind: 'logged_in', by_admin: false },
      { kind: 'passkey_removed', by_admin: false },
      { kind: 'second_step_removed', by_admin: false },
    ])
    expect((await subjects(app)).filter((subject) => subject.includes('removed your second step'))).toEqual([
      expect.stringContaining('The operator of'),
    ])
  })

  test('sets a password, which ends sessions and log-ins that wait, and leaves the second step', async () => {
    const { app, Ann, Ben, secret } = await open()
    const waiting = app.visitor()
    await waiting.get('/sanctum/csrf-cookie')
    await waiting.post('/login', account)
    const { code } = (await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).body
    const { hashPassword } = await import('#features/people/passwords.ts')
    const hash = await hashPassword('seven paper lanterns', '')
    await transaction(app.db, (tx) => setPassword(app.context, tx, Ben.id, hash))
    expect((await Ben.get('/api/user')).status).toBe(401)
    vi.setSystemTime(Date.now() + 60_000)
    const answer = await waiting.post('/two-factor-challenge', { code: totpCode(secret) })
    expect(answer.status).toBe(422)
    const reset = { email: account.email, code, password: 'eight stone steps' }
    const refused = await waiting.post('/reset-password', { ...reset, password_confirmation: reset.password })
    expect(refused.status).toBe(422)
    await waiting.get('/sanctum/csrf-cookie')
    expect((await waiting.post('/login', account)).status).toBe(422)
    const { body } = await waiting.post('/login', { ...account, password: 'seven paper lanterns' })
    expect(body).toEqual({ two_factor: true })
    expect((await subjects(app)).filter((subject) => subject.includes('set your password'))).toHaveLength(1)
    expect(await readRows(app.db, 'jobs')).toContainEqual(expect.objectContaining({ kind: 'close_sockets' }))
  })
})

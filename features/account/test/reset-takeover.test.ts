import { describe, expect, test } from 'vitest'
import { computeTestTotpCode } from '#tests/authenticator-app.ts'
import { dialectsInTurn, readTestTableRows } from '#tests/harness.ts'
import { createSimulatedPasskeyDevice } from './authenticator.ts'
import { addPasskeyOfSimulatedDevice, logInWithSimulatedPasskeyDevice } from './passkey-clients.ts'
import {
  createTestAppWithUnsentMails,
  createTestAppWithVerifiedAnnAndBen,
  listResetTokensInUnsentTestMails,
  listUnsentMailsOfTestApp,
  logInTestClientAndReturnStatus,
  NEW_TEST_MEMBER_PASSWORD,
  OLD_TEST_MEMBER_PASSWORD,
  requestPasswordResetMailAsTestClient,
  resetPasswordAsTestClient,
  TEST_MEMBER_ANN_EMAIL,
} from './resets.ts'

const BEN = 'ben@engawa.example'

describe.each(dialectsInTurn())('a reset after a thief was in the account, on %s,', (dialect) => {
  const open = () => createTestAppWithVerifiedAnnAndBen(dialect)

  /**
   * Changes Ben's account as a thief would: adds a passkey and recovery codes, and requests a change of the
   * email address and the deletion of the account.
   */
  async function addAll({ Ben }: Awaited<ReturnType<typeof open>>) {
    const device = createSimulatedPasskeyDevice()
    await addPasskeyOfSimulatedDevice(Ben, device)
    const { codes } = (await Ben.post('/api/account/recovery-codes')).body
    await Ben.post('/api/account/email', { email: 'thief@evil.example' })
    await Ben.post('/api/account/passkeys/options')
    await Ben.send('DELETE', '/api/account', { messages: 'delete' })
    return { device, codes: codes as string[] }
  }

  const remaining = ['passkeys', 'recovery_codes', 'email_changes', 'account_deletions'] as const

  test.each(['link', 'code'])('removes what the thief has added, with a %s', async (kind) => {
    const opened = await open()
    const { app, Ann, Ben } = opened
    const { device, codes } = await addAll(opened)
    await requestPasswordResetMailAsTestClient(app.visitor(), BEN)
    const proof =
      kind === 'link'
        ? { token: (await listResetTokensInUnsentTestMails(app))[0] }
        : { email: BEN, code: (await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).body.code }
    expect((await resetPasswordAsTestClient(app.visitor(), proof)).status).toBe(200)
    for (const table of [...remaining, 'passkey_challenges', 'log_in_challenges'] as const)
      expect(await readTestTableRows(app.db, table), table).toEqual([])
    expect((await logInWithSimulatedPasskeyDevice(app.visitor(), device)).status).toBe(422)
    expect((await resetPasswordAsTestClient(app.visitor(), { email: BEN, code: codes[0] })).status).toBe(422)
    const mail = (await listUnsentMailsOfTestApp(app)).at(-1)
    expect(mail).toMatchObject({ to: BEN, text: expect.stringContaining('all passkeys removed') })
  })

  test('keeps passkeys, codes and the request with a recovery code, except that code', async () => {
    const opened = await open()
    const { app } = opened
    const { device, codes } = await addAll(opened)
    expect((await resetPasswordAsTestClient(app.visitor(), { email: BEN, code: codes[0] })).status).toBe(200)
    expect(await readTestTableRows(app.db, 'recovery_codes')).toHaveLength(9)
    expect(await readTestTableRows(app.db, 'account_deletions')).toHaveLength(1)
    expect((await logInWithSimulatedPasskeyDevice(app.visitor(), device)).status).toBe(204)
    expect((await listUnsentMailsOfTestApp(app)).at(-2)?.text).toContain('still work')
  })

  test('keeps the deletion that an admin has requested', async () => {
    const { app, Ann, Ben } = await open()
    await requestPasswordResetMailAsTestClient(app.visitor(), BEN)
    const [token] = await listResetTokensInUnsentTestMails(app)
    await Ann.send('DELETE', `/api/admin/users/${Ben.id}`, { messages: 'keep' })
    await Ann.delete(`/api/admin/users/${Ben.id}/suspension`)
    await resetPasswordAsTestClient(app.visitor(), { token })
    expect(await readTestTableRows(app.db, 'account_deletions')).toHaveLength(1)
  })

  test('keeps the second step and its recovery codes, because they do not open the account', async () => {
    const { app, Ben } = await open()
    const { secret } = (await Ben.post('/api/account/one-time-codes')).body
    const code = computeTestTotpCode(secret)
    const { recovery_codes } = (await Ben.post('/api/account/one-time-codes/confirm', { code })).body
    await requestPasswordResetMailAsTestClient(app.visitor(), BEN)
    expect(
      (
        await resetPasswordAsTestClient(app.visitor(), {
          token: (await listResetTokensInUnsentTestMails(app))[0],
        })
      ).status,
    ).toBe(200)
    const owner = app.visitor()
    expect(await logInTestClientAndReturnStatus(owner, NEW_TEST_MEMBER_PASSWORD, BEN)).toBe(200)
    const given = { recovery_code: recovery_codes[0] }
    expect((await owner.post('/two-factor-challenge', given)).status).toBe(204)
  })

  test('removes the second step of a stranger who registered the address before its owner', async () => {
    const app = await createTestAppWithUnsentMails(dialect, { ADMIN_EMAIL: 'boss@engawa.example' })
    await app.members('Ann')
    const stranger = app.visitor()
    await stranger.register('boss')
    const device = createSimulatedPasskeyDevice()
    await addPasskeyOfSimulatedDevice(stranger, device)
    const { secret } = (await stranger.post('/api/account/one-time-codes')).body
    const code = computeTestTotpCode(secret)
    const { recovery_codes } = (await stranger.post('/api/account/one-time-codes/confirm', { code })).body
    const email = 'boss@engawa.example'
    await requestPasswordResetMailAsTestClient(app.visitor(), email)
    expect(
      (
        await resetPasswordAsTestClient(app.visitor(), {
          token: (await listResetTokensInUnsentTestMails(app))[0],
        })
      ).status,
    ).toBe(200)
    const owner = app.visitor()
    expect(await logInTestClientAndReturnStatus(owner, NEW_TEST_MEMBER_PASSWORD, email)).toBe(204)
    expect((await owner.get('/api/user')).body).toMatchObject({ is_admin: true })
    expect((await logInWithSimulatedPasskeyDevice(app.visitor(), device)).status).toBe(422)
    expect((await resetPasswordAsTestClient(app.visitor(), { email, code: recovery_codes[0] })).status).toBe(
      422,
    )
    expect(
      await logInTestClientAndReturnStatus(app.visitor(), OLD_TEST_MEMBER_PASSWORD, TEST_MEMBER_ANN_EMAIL),
    ).toBe(204)
  })
})

import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { markAllVerified } from '#features/people/credentials.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { createDevice } from './authenticator.ts'
import { addPasskey, logInWithPasskey } from './passkey-clients.ts'
import {
  ANN_EMAIL,
  appWithAnnAndBen,
  appWithMails,
  logInStatus,
  NEW_PASSWORD,
  OLD_PASSWORD,
  requestReset,
  resetPassword,
  resetTokens,
  unsentMails,
} from './resets.ts'

const BEN = 'ben@engawa.example'

describe.each(dialectsInTurn())('a reset after a thief was in the account, on %s,', (dialect) => {
  const open = () => appWithAnnAndBen(dialect)

  /**
   * Changes Ben's account as a thief would: adds a passkey and recovery codes, and requests a change of the
   * email address and the deletion of the account.
   */
  async function addAll({ Ben }: Awaited<ReturnType<typeof open>>) {
    const device = createDevice()
    await addPasskey(Ben, device)
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
    await requestReset(app.visitor(), BEN)
    const proof =
      kind === 'link'
        ? { token: (await resetTokens(app))[0] }
        : { email: BEN, code: (await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).body.code }
    expect((await resetPassword(app.visitor(), proof)).status).toBe(200)
    for (const table of [...remaining, 'passkey_challenges', 'log_in_challenges'] as const)
      expect(await readRows(app.db, table), table).toEqual([])
    expect((await logInWithPasskey(app.visitor(), device)).status).toBe(422)
    expect((await resetPassword(app.visitor(), { email: BEN, code: codes[0] })).status).toBe(422)
    const mail = (await unsentMails(app)).at(-1)
    expect(mail).toMatchObject({ to: BEN, text: expect.stringContaining('all passkeys removed') })
  })

  test('keeps passkeys, codes and the request with a recovery code, except that code', async () => {
    const opened = await open()
    const { app } = opened
    const { device, codes } = await addAll(opened)
    expect((await resetPassword(app.visitor(), { email: BEN, code: codes[0] })).status).toBe(200)
    expect(await readRows(app.db, 'recovery_codes')).toHaveLength(9)
    expect(await readRows(app.db, 'account_deletions')).toHaveLength(1)
    expect((await logInWithPasskey(app.visitor(), device)).status).toBe(204)
    expect((await unsentMails(app)).at(-2)?.text).toContain('still work')
  })

  test('keeps the deletion that an admin has requested', async () => {
    const { app, Ann, Ben } = await open()
    await requestReset(app.visitor(), BEN)
    const [token] = await resetTokens(app)
    await Ann.send('DELETE', `/api/admin/users/${Ben.id}`, { messages: 'keep' })
    await Ann.delete(`/api/admin/users/${Ben.id}/suspension`)
    await resetPassword(app.visitor(), { token })
    expect(await readRows(app.db, 'account_deletions')).toHaveLength(1)
  })

  test('keeps the second step and its recovery codes, because they do not open the account', async () => {
    const { app, Ben } = await open()
    const { secret } = (await Ben.post('/api/account/one-time-codes')).body
    const code = totpCode(secret)
    const { recovery_codes } = (await Ben.post('/api/account/one-time-codes/confirm', { code })).body
    await requestReset(app.visitor(), BEN)
    expect(
      (
        await resetPassword(app.visitor(), {
          token: (await resetTokens(app))[0],
        })
      ).status,
    ).toBe(200)
    const owner = app.visitor()
    expect(await logInStatus(owner, NEW_PASSWORD, BEN)).toBe(200)
    const given = { recovery_code: recovery_codes[0] }
    expect((await owner.post('/two-factor-challenge', given)).status).toBe(204)
  })

  test.each([
    { title: 'today', age: 0 },
    { title: 'last week, when an admin has confirmed all addresses since', age: 8 },
  ])(
    'removes the second step of a stranger who registered the address before its owner: $title',
    async ({ age }) => {
      const app = await appWithMails(dialect, { ADMIN_EMAIL: 'boss@engawa.example' })
      await app.members('Ann')
      const stranger = app.visitor()
      await stranger.register('boss')
      const device = createDevice()
      await addPasskey(stranger, device)
      const { secret } = (await stranger.post('/api/account/one-time-codes')).body
      const code = totpCode(secret)
      const { recovery_codes } = (await stranger.post('/api/account/one-time-codes/confirm', { code })).body
      const email = 'boss@engawa.example'
      if (age)
        await transaction(app.db, async (tx) => {
          const created_at = new Date(Date.now() - age * 24 * 3600_000).toISOString()
          await tx.updateTable('users').set({ created_at }).where('email', '=', email).execute()
          await markAllVerified(tx, 1)
        })
      await requestReset(app.visitor(), email)
      const [token] = await resetTokens(app)
      expect((await resetPassword(app.visitor(), { token })).status).toBe(200)
      const owner = app.visitor()
      expect(await logInStatus(owner, NEW_PASSWORD, email)).toBe(204)
      expect((await owner.get('/api/user')).body).toMatchObject({ is_admin: true })
      expect((await logInWithPasskey(app.visitor(), device)).status).toBe(422)
      expect((await resetPassword(app.visitor(), { email, code: recovery_codes[0] })).status).toBe(422)
      expect(await logInStatus(app.visitor(), OLD_PASSWORD, ANN_EMAIL)).toBe(204)
    },
  )
})

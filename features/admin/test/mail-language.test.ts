import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'

const PASSWORD = 'correct horse'

/**
 * Returns the mails to Ben that are not sent yet, oldest first, and deletes all mails that are not sent yet.
 */
async function takeMails({ db }: TestApp) {
  const mails = (await readRows(db, 'jobs'))
    .filter(({ kind, payload }) => kind === 'mail' && String(payload).includes('ben@engawa.example'))
    .sort((one, other) => Number(one.id) - Number(other.id))
    .map(({ payload }) => JSON.parse(String(payload)) as { subject: string; text: string })
  await transaction(db, (tx) => tx.deleteFrom('jobs').where('kind', '=', 'mail').execute())
  return mails
}

describe.each(dialectsInTurn())('a mail about what an admin did on %s', (dialect) => {
  /**
   * Creates an app with the admin Ann and the member Ben. Its mails stay in the table `jobs`, because there
   * is no mail server that takes them.
   */
  async function open() {
    const app = await createTestApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await transaction(app.db, (tx) =>
      tx.updateTable('users').set({ email_verified_at: new Date().toISOString() }).execute(),
    )
    return { app, Ann, Ben }
  }

  async function logIn(client: TestClient, lang: string) {
    const account = { email: 'ben@engawa.example', password: PASSWORD }
    await client.get('/sanctum/csrf-cookie')
    expect((await client.send('POST', '/login', account, { 'accept-language': lang })).status).toBe(204)
  }

  test('has the language of the member’s last log-in', async () => {
    const { app, Ann, Ben } = await open()
    const phone = app.visitor()
    await logIn(phone, 'ja')
    const { secret } = (await phone.post('/api/account/one-time-codes')).body
    const code = totpCode(secret)
    expect((await phone.post('/api/account/one-time-codes/confirm', { code })).status).toBe(200)
    await takeMails(app)

    expect((await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).status).toBe(200)
    expect((await Ann.delete(`/api/admin/users/${Ben.id}/second-step`)).status).toBe(200)
    expect((await Ann.send('DELETE', `/api/admin/users/${Ben.id}`, { messages: 'keep' })).status).toBe(200)
    expect((await Ann.post(`/api/admin/users/${Ben.id}/keep`)).status).toBe(200)
    const subjects = (await takeMails(app)).map(({ subject }) => subject)
    expect(subjects).toEqual([
      expect.stringContaining('パスワード再設定用のコードが作られました'),
      expect.stringContaining('管理者が2段階認証を解除しました'),
      expect.stringMatching(/】.*削除/),
      expect.stringMatching(/】.*削除/),
    ])

    await logIn(phone, 'en')
    await takeMails(app)
    await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)
    expect(await takeMails(app)).toMatchObject([{ subject: expect.stringContaining('A code for a new') }])
    expect(await readRows(app.db, 'member_languages')).toContainEqual({
      user_id: Ben.id,
      lang: 'en',
    })
  })

  test('has the language of the request for what the member does, and of the admin if none is known', async () => {
    const { app, Ann, Ben } = await open()
    await takeMails(app)
    await Ben.send('POST', '/api/account/recovery-codes', undefined, { 'accept-language': 'ja' })
    expect(await takeMails(app)).toMatchObject([
      { subject: expect.stringContaining('復旧コードが新しくなりました') },
    ])
    await transaction(app.db, (tx) => tx.deleteFrom('member_languages').execute())
    const path = `/api/admin/users/${Ben.id}/reset-code`
    await Ann.send('POST', path, undefined, { 'accept-language': 'ja' })
    expect(await takeMails(app)).toMatchObject([{ subject: expect.stringContaining('パスワード再設定') }])
  })
})

import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import * as emailChanges from '#features/account/email-changes.ts'
import { createDevice } from '#features/account/test/authenticator.ts'
import { addPasskey } from '#features/account/test/passkey-clients.ts'
import { changeEmail, resetPassword, visitorOf } from '#features/account/test/resets.ts'
import * as credentials from '#features/people/credentials.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp } from '#tests/harness.ts'
import { importList, welcomeRequests } from './card-lists.ts'

const PASSWORD = 'correct horse'

/**
 * Logs a member in with a new test client, which has no cookies of earlier log-ins. Returns the client and
 * the response.
 */
async function logIn({ visitor }: TestApp, email: string, password = PASSWORD) {
  const person = visitor({ host: 'town.example' })
  await person.get('/sanctum/csrf-cookie')
  return { person, ...(await person.post('/login', { email, password })) }
}

describe.each(dialectsInTurn())('a member without an e-mail address on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    const { Ann } = await app.members('Ann')
    const { cards } = await importList(Ann, [{ name: 'Taro', handle: 'taro' }])
    const { person } = await welcomeRequests(app, cards[0]!.code).then(async (card) => {
      expect((await card.use()).status).toBe(200)
      return card
    })
    return { app, Ann, Taro: person, id: cards[0]!.user_id }
  }
  const mailsTo = async ({ db }: TestApp, id: number) =>
    (await readRows(db, 'jobs')).filter(({ payload }) => String(payload).startsWith(`{"user_id":${id},`))

  test('logs in with the handle, in whatever way it is written', async () => {
    const { app } = await open()
    for (const handle of ['taro', '@taro', 'TARO', '＠Taro'.normalize('NFKC')])
      expect((await logIn(app, handle)).status).toBe(204)
    for (const [handle, password] of [
      ['taro', 'wrong horse'],
      ['tar', PASSWORD],
      ['taro@engawa.example', PASSWORD],
    ])
      expect((await logIn(app, handle!, password)).body.message).toBe(
        'These credentials do not match our records.',
      )
    // Members with an e-mail address can log in with the handle too.
    expect((await logIn(app, 'ann')).status).toBe(204)
    expect((await logIn(app, 'ann@engawa.example')).status).toBe(204)
  })

  test('confirms, changes the password, and gets no mail', async () => {
    const { app, Taro, id } = await open()
    expect((await Taro.post('/api/account/confirm', { password: PASSWORD })).status).toBe(204)
    const change = {
      current_password: PASSWORD,
      password: 'battery staple',
      password_confirmation: 'battery staple',
    }
    expect((await Taro.put('/api/account/password', change)).status).toBe(200)
    expect((await Taro.post('/api/account/recovery-codes')).status).toBe(200)
    expect((await Taro.post('/api/email/verification-notification')).body.message).toBe(
      'Your account has no email address. You can add one on the page “Account”.',
    )
    expect((await Taro.post('/api/account/one-time-codes')).body.address).toContain('taro')
    expect(await mailsTo(app, id)).toEqual([])
  })

  test('keeps the last passkey while it is the only way in', async () => {
    const { app, Ann, id } = await open()
    const person = app.visitor()
    await person.get('/sanctum/csrf-cookie')
    expect((await person.post('/login', { email: 'taro', password: PASSWORD })).status).toBe(204)
    const keys = [await addPasskey(person, createDevice()), await addPasskey(person, createDevice())]
    const remove = (client: typeof person, index: number) =>
      client.delete(`/api/account/passkeys/${keys[index]!.id}`)
    // Makes the password unusable, as for a member who has chosen a passkey instead of a password.
    await transaction(app.db, (tx) => credentials.disablePassword(tx, id))
    expect((await remove(person, 0)).status).toBe(204)
    expect(await remove(person, 1)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^This passkey is the only way into your account\./) },
    })
    expect((await person.get('/api/account/passkeys')).body.passkeys).toHaveLength(1)
    const own = await addPasskey(Ann, createDevice())
    await transaction(app.db, (tx) => credentials.disablePassword(tx, Ann.id))
    expect((await Ann.delete(`/api/account/passkeys/${own.id}`)).status).toBe(204)
    await transaction(app.db, async (tx) =>
      credentials.saveHash(tx, id, await credentials.hashNew('new horse 1', '')),
    )
    expect((await remove(person, 1)).status).toBe(204)
  })

  test('leaves no list behind as its last member', async () => {
    const { app, Ann, id } = await open()
    const { cards } = await importList(Ann, [{ name: 'Cho' }, { name: 'Dan' }], {
      key: 'another',
      title: '5b',
    })
    const remove = (member: number) =>
      transaction(app.db, (tx) => deleteMember(app.context, tx, { id: member, keep_messages: false }))
    await remove(cards[0]!.user_id)
    expect(await readRows(app.db, 'member_lists')).toHaveLength(2)
    await remove(cards[1]!.user_id)
    expect(await readRows(app.db, 'member_lists')).toMatchObject([{ title: null }])
    await remove(id)
    expect(await readRows(app.db, 'member_lists')).toEqual([])
  })

  test('adds an address, which counts only after it is verified', async () => {
    const { app, Taro, id } = await open()
    expect((await Taro.post('/api/account/email', { email: 'ann@engawa.example' })).status).toBe(422)
    expect((await Taro.post('/api/account/email', { email: 'taro@engawa.example' })).status).toBe(200)
    expect((await Taro.get('/api/user')).body.email).toBeNull()
    const [job] = await mailsTo(app, id)
    const token = /#verify=([\w-]+)/.exec(String(job!.payload))![1]
    const { person } = await logIn(app, 'taro')
    expect((await person.post('/api/account/email/verify', { token })).status).toBe(200)
    expect((await Taro.get('/api/user')).body).toMatchObject({
      email: 'taro@engawa.example',
      email_verified_at: expect.any(String),
    })
    expect((await logIn(app, 'taro@engawa.example')).status).toBe(204)
    expect(await readRows(app.db, 'reserved_emails')).toEqual([])
  })

  test('gets a new password with the code of an admin, and old sessions end', async () => {
    const { app, Ann, Taro, id } = await open()
    const { code, link } = (await Ann.post(`/api/admin/users/${id}/reset-code`)).body
    expect(new URL(link).hash).toBe(`#handle=taro&code=${code}`)
    const { person } = await logIn(app, 'nobody')
    const fields = { code, password: 'battery staple', password_confirmation: 'battery staple' }
    expect((await person.post('/reset-password', { ...fields, email: 'ann' })).status).toBe(422)
    expect((await person.post('/reset-password', { ...fields, email: '@taro' })).status).toBe(200)
    expect((await Taro.get('/api/user')).status).toBe(401)
    expect((await logIn(app, 'taro', 'battery staple')).status).toBe(204)
    expect((await person.post('/reset-password', { ...fields, email: '@taro' })).status).toBe(422)
  })

  test('loses the addresses that a thief has added when an admin gives a code', async () => {
    const { app, Ann, Taro, id } = await open()
    for (const email of ['thief@evil.example', 'thief2@evil.example']) await changeEmail(app, Taro, email)
    const { code } = (await Ann.post(`/api/admin/users/${id}/reset-code`)).body
    const proof = { email: 'taro', code }
    expect((await resetPassword(await visitorOf(app), proof, 'battery staple')).status).toBe(200)
    for (const table of ['email_changes', 'reserved_emails'] as const)
      expect(await readRows(app.db, table), table).toEqual([])
    expect(JSON.stringify(await mailsTo(app, id))).not.toContain('evil.example')
    const { person } = await logIn(app, 'taro', 'battery staple')
    expect((await person.get('/api/user')).body).toMatchObject({ email: null, email_verified_at: null })
    expect((await logIn(app, 'thief@evil.example', 'battery staple')).status).toBe(422)
  })

  test('keeps an address that is older than a week when an admin gives a code', async () => {
    const { app, Ann, Taro, id } = await open()
    await changeEmail(app, Taro, 'taro@engawa.example')
    const verified_at = new Date(Date.now() - 8 * 24 * 3600_000).toISOString()
    await transaction(app.db, (tx) => tx.updateTable('email_changes').set({ verified_at }).execute())
    const { code } = (await Ann.post(`/api/admin/users/${id}/reset-code`)).body
    const proof = { email: 'taro', code }
    expect((await resetPassword(await visitorOf(app), proof, 'battery staple')).status).toBe(200)
    expect((await logIn(app, 'taro@engawa.example', 'battery staple')).status).toBe(204)
    await transaction(app.db, (tx) => emailChanges.deleteExpired(app.config, tx))
    expect(await readRows(app.db, 'email_changes')).toEqual([])
  })

  test('has no link that verifies an address', async () => {
    const { Ann, id } = await open()
    expect((await Ann.get(`/api/admin/users/${id}/verification-link`)).status).toBe(404)
  })

  test('is in the list of accounts, and is found by name', async () => {
    const { Ann } = await open()
    expect((await Ann.get('/api/admin/users?q=taro')).body.userData).toMatchObject([
      { name: 'Taro', handle: 'taro', email: null },
    ])
  })
})

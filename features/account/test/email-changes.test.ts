import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import * as emailChanges from '#features/account/email-changes.ts'
import { createTestApp, dialectsInTurn, type TestApp, type TestClient } from '#tests/harness.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'

interface LinkMail {
  to: string
  subject: string
  action: string
  token: string
}

/**
 * Reads the mails with a link to /account/email, which verifies or undoes a change of address. Returns them
 * oldest first.
 */
async function readMails({ context, folder }: TestApp): Promise<LinkMail[]> {
  await context.jobs.idle()
  const files = (await readdir(join(folder, 'mail'))).sort()
  const mails = await Promise.all(
    files.map(async (file) => PostalMime.parse(await readFile(join(folder, 'mail', file)))),
  )
  return mails.flatMap(({ to, subject, text }) => {
    const link = /^https?:\S+\/account\/email#(\w+)=(\S+)$/m.exec(text!)
    return link ? [{ to: to![0]!.address!, subject: subject!, action: link[1]!, token: link[2]! }] : []
  })
}

const emailOf = async (client: TestClient) => (await client.get('/api/user')).body.email

async function logIn(client: TestClient, email: string, password = 'correct horse') {
  await client.get('/sanctum/csrf-cookie')
  return (await client.post('/login', { email, password })).status
}

const inDays = (days: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 24 * 3600_000 + 60_000 })
afterEach(() => vi.useRealTimers())

describe.each(dialectsInTurn())('changing the e-mail address on %s', (dialect) => {
  const next = 'ann.new@engawa.example'
  async function open() {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await verifyAllEmails(app)
    const stranger = app.visitor()
    await stranger.get('/sanctum/csrf-cookie')
    return { app, Ann, Ben, stranger }
  }
  const change = (client: TestClient, email = next) => client.post('/api/account/email', { email })

  test('takes effect when the link of the new address is opened, on any device, once', async () => {
    const { app, Ann, stranger } = await open()
    expect((await change(Ann)).status).toBe(200)
    expect(await emailOf(Ann)).toBe('ann@engawa.example')
    expect((await Ann.get('/api/account/email')).body).toEqual({ pending: next })
    const [mail] = await readMails(app)
    expect(mail).toMatchObject({ to: next, action: 'verify' })
    expect((await stranger.post('/api/account/email/verify', { token: mail!.token })).status).toBe(200)
    expect((await Ann.get('/api/user')).body).toMatchObject({
      email: next,
      email_verified_at: expect.any(String),
    })
    expect((await Ann.get('/api/account/email')).body).toEqual({ pending: null })
    expect((await stranger.post('/api/account/email/verify', { token: mail!.token })).status).toBe(403)
    expect(await logIn(app.visitor(), next)).toBe(204)
    expect(await logIn(app.visitor(), 'ann@engawa.example')).toBe(422)
  })

  test('can be undone from the old address for a week, which ends all sessions', async () => {
    const { app, Ann, stranger } = await open()
    await change(Ann)
    const [{ token }] = (await readMails(app)) as [LinkMail]
    await stranger.post('/api/account/email/verify', { token })
    const undoMail = (await readMails(app)).at(-1)!
    expect(undoMail).toMatchObject({ to: 'ann@engawa.example', action: 'undo' })
    expect((await stranger.post('/api/account/email/undo', { token })).status).toBe(403)
    inDays(6)
    expect((await stranger.post('/api/account/email/undo', { token: undoMail.token })).status).toBe(200)
    expect((await Ann.get('/api/user')).status).toBe(401)
    for (const email of [next, 'ann@engawa.example'])
      expect(await logIn(app.visitor(), email), email).toBe(422)
    const row = await app.db.selectFrom('users').select('email').where('id', '=', Ann.id).executeTakeFirst()
    expect(row).toEqual({ email: 'ann@engawa.example' })
    expect((await stranger.post('/api/account/email/undo', { token: undoMail.token })).status).toBe(403)
  })

  test('is given up when the password changes, because a thief may have begun it', async () => {
    const { app, Ann, stranger } = await open()
    await change(Ann)
    const [{ token }] = (await readMails(app)) as [LinkMail]
    const password = 'seven paper lanterns'
    const given = { current_password: 'correct horse', password, password_confirmation: password }
    expect((await Ann.put('/api/account/password', given)).status).toBe(200)
    expect((await stranger.post('/api/account/email/verify', { token })).status).toBe(403)
    expect((await Ann.get('/api/account/email')).body).toEqual({ pending: null })
  })

  test('cannot be undone after a week, nor verified after a day', async () => {
    const { app, Ann, Ben, stranger } = await open()
    await change(Ann)
    await change(Ben, 'ben.new@engawa.example')
    const [ann, ben] = (await readMails(app)) as [LinkMail, LinkMail]
    await stranger.post('/api/account/email/verify', { token: ann.token })
    const undoMail = (await readMails(app)).at(-1)!
    inDays(1)
    expect((await stranger.post('/api/account/email/verify', { token: ben.token })).status).toBe(403)
    expect((await Ben.get('/api/account/email')).body).toEqual({ pending: null })
    inDays(7)
    expect((await stranger.post('/api/account/email/undo', { token: undoMail.token })).status).toBe(403)
    // Deletes the expired changes of email addresses, as the app does at each start and at each new change.
    await transaction(app.db, (tx) => emailChanges.deleteExpired(app.config, tx))
    expect(await app.db.selectFrom('email_changes').select('id').execute()).toEqual([])
  })

  test('refuses an address that somebody has, also if they took it meanwhile', async () => {
    const { app, Ann, stranger } = await open()
    for (const email of ['ben@engawa.example', 'BEN@engawa.example', 'ann@engawa.example', 'no address']) {
      const answer = await change(Ann, email)
      expect([answer.status, Object.keys(answer.body.errors)], email).toEqual([422, ['email']])
    }
    await change(Ann, 'cleo@engawa.example')
    const [mail] = await readMails(app)
    await app.members('Cleo')
    expect((await stranger.post('/api/account/email/verify', { token: mail!.token })).status).toBe(422)
    expect(await emailOf(Ann)).toBe('ann@engawa.example')
  })

  test('needs a confirmation, and can be given up or replaced', async () => {
    const { app, Ann, stranger } = await open()
    await change(Ann)
    const [first] = (await readMails(app)) as [LinkMail]
    await change(Ann, 'third@engawa.example')
    const [second] = (await readMails(app)) as [LinkMail]
    expect((await stranger.post('/api/account/email/verify', { token: first.token })).status).toBe(403)
    expect((await Ann.delete('/api/account/email')).status).toBe(204)
    expect((await stranger.post('/api/account/email/verify', { token: second.token })).status).toBe(403)
    inDays(1)
    expect((await change(Ann)).status).toBe(423)
    for (const token of ['', 'x'.repeat(2000), 'undefined'])
      expect((await stranger.post('/api/account/email/undo', { token })).status).toBe(403)
  })
})

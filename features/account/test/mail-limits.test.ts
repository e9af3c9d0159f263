import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { appWithMails, OLD_PASSWORD, requestReset, unsentMails, visitorOf } from './resets.ts'
import { databaseIdle, recordSql } from './statements.ts'

// In these tests, accounts ask for mails to the email address of a stranger. The tests count the mails that
// are sent.

const VICTIM = 'victim@elsewhere.example'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const wait = (milliseconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const changeEmail = (client: TestClient, email: string) => client.post('/api/account/email', { email })

const countMailsTo = async (app: TestApp, address: string) =>
  (await unsentMails(app)).filter(({ to }) => to.toLowerCase() === address).length

const register = async (app: TestApp, email: string) => {
  const passwords = { password: OLD_PASSWORD, password_confirmation: OLD_PASSWORD }
  return (await visitorOf(app)).post('/api/register', {
    name: 'Zoe',
    email,
    ...passwords,
  })
}

const confirmAllSessions = ({ db }: TestApp) =>
  transaction(db, (tx) =>
    tx.updateTable('sessions').set({ confirmed_at: new Date().toISOString() }).execute(),
  )

describe.each(dialectsInTurn())('mails to an unverified address on %s', (dialect) => {
  test('are ten a day, from however many accounts, and no answer tells how many there were', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben, Cem } = await app.members('Ann', 'Ben', 'Cem')
    const first = await changeEmail(Ann, VICTIM)
    for (let n = 1; n < 10; n++) await changeEmail([Ann, Ben][n % 2]!, n % 3 ? VICTIM : VICTIM.toUpperCase())
    // A new change of an account's email address deletes the unsent mail of that account's earlier change. So
    // one mail of Ann and one of Ben are left.
    expect(await countMailsTo(app, VICTIM)).toBe(2)
    const beyond = await changeEmail(Cem, VICTIM)
    expect([beyond.status, beyond.body]).toEqual([200, first.body])
    expect((await Cem.get('/api/account/email')).body).toEqual({ pending: VICTIM })
    expect(await countMailsTo(app, VICTIM)).toBe(2)
    // The mails after a registration, and after a repeated request for verification, count too.
    const stranger = await register(app, VICTIM)
    expect(stranger.status).toBe(200)
    expect(stranger.body.message).toBe((await register(app, 'other@elsewhere.example')).body.message)
    expect(await countMailsTo(app, VICTIM)).toBe(2)
    expect(JSON.stringify(await readRows(app.db, 'mail_counts'))).not.toContain('elsewhere')
    wait(DAY + MINUTE)
    await confirmAllSessions(app)
    await changeEmail(Cem, 'third@elsewhere.example')
    expect(await countMailsTo(app, 'third@elsewhere.example')).toBe(1)
    const { email } = (await Ann.get('/api/user')).body
    expect((await Ann.post('/api/email/verification-notification')).status).toBe(200)
    expect(await countMailsTo(app, email)).toBe(2)
  })

  test('beyond the limit cost the same statements', async () => {
    const app = await appWithMails(dialect)
    const { Ann } = await app.members('Ann')
    await app.context.jobs.close()
    const resend = async () => {
      const statements = recordSql(app)
      const { status, body } = await Ann.post('/api/email/verification-notification')
      vi.restoreAllMocks()
      return { status, body, statements }
    }
    // Sends a first request that is not compared, because it fills the caches of the server.
    await resend()
    await databaseIdle(app)
    const answers = []
    for (let n = 0; n < 11; n++) answers.push(await resend())
    expect(answers[0]!.statements.length).toBeGreaterThan(3)
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const kinds = (await readRows(app.db, 'jobs')).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'mail')).toHaveLength(10)
    expect(kinds.filter((kind) => kind === 'withheld_mail')).toHaveLength(3)
  })

  test('are thirty a day of an account, which is told', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    for (let n = 0; n < 30; n++) expect((await changeEmail(Ann, `${n}@elsewhere.example`)).status).toBe(200)
    for (const refused of [
      await changeEmail(Ann, VICTIM),
      await Ann.post('/api/email/verification-notification'),
    ]) {
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '86400'])
      expect(refused.body.message).toContain('too many mails today')
    }
    // The change of the email address that Ann requested before the refused one is still pending, and other
    // members can still request changes.
    expect((await Ann.get('/api/account/email')).body).toEqual({ pending: '29@elsewhere.example' })
    expect((await changeEmail(Ben, VICTIM)).status).toBe(200)
    wait(DAY + MINUTE)
    await confirmAllSessions(app)
    expect((await changeEmail(Ann, VICTIM)).status).toBe(200)
  })

  test('include links for a new password, which a verified address gets as often as they are valid', async () => {
    const app = await appWithMails(dialect)
    const { Ann } = await app.members('Ann', 'Ben')
    await transaction(app.db, (tx) =>
      tx
        .updateTable('users')
        .set({ email_verified_at: new Date().toISOString() })
        .where('id', '=', Ann.id)
        .execute(),
    )
    const stranger = app.visitor()
    const countLinks = async (email: string) =>
      (await unsentMails(app)).filter(({ to, text }) => to === email && text.includes('/reset-password#'))
        .length
    for (let n = 0; n < 12; n++) {
      for (const email of ['ann@engawa.example', 'ben@engawa.example'])
        expect((await requestReset(stranger, email)).status).toBe(200)
      await app.context.jobs.idle()
      wait(31 * MINUTE)
    }
    // Ben's email address is not verified, so it gets at most ten mails a day. The first of them was the mail
    // after the registration.
    expect([await countLinks('ann@engawa.example'), await countLinks('ben@engawa.example')]).toEqual([12, 9])
  })
})

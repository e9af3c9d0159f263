import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { MAX_ANSWER } from '#core/mail/test-mail.ts'
import { ageConfirmations } from '#tests/account-security.ts'
import { checkLog } from '#tests/audit-log.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'

const path = '/api/admin/mail-test'
const PASSWORD = 'seven-lanterns'

/** Starts a mail server that refuses every recipient with the error message that `refuse` returns. */
async function startRefusingServer(refuse: () => string) {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN', 'LOGIN'],
    onAuth: (_, __, done) => done(null, { user: 'engawa' }),
    onRcptTo: (_, __, done) => done(Object.assign(new Error(refuse()), { responseCode: 550 })),
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(closed)))
  const { port } = server.server.address() as { port: number }
  return `smtp://engawa:${PASSWORD}@127.0.0.1:${port}`
}

/** Returns how many test mails the audit log lists. */
const countLogged = async (admin: TestClient) =>
  (await admin.get('/api/audit-log')).body.filter(
    ({ action }: { action: string }) => action === 'mail_tested',
  ).length

const HOUR = 3600_000
afterEach(() => vi.useRealTimers())

describe.each(dialectsInTurn())('a test mail on %s', (dialect) => {
  const open = (env: Record<string, string> = {}) => createTestApp({ dialect, env })

  test('goes to the admin, shows the answer of the mail server, and is in the log', async () => {
    const { url, mails, close } = await startMailServer()
    onTestFinished(close)
    const app = await open({ SMTP_URL: url, MAIL_FROM: 'engawa@town.example' })
    const { members } = app
    const { Ann, Ben } = await members('Ann', 'Ben')
    const answer = await Ann.post(path)
    expect(answer).toMatchObject({
      status: 200,
      body: { accepted: true, answer: expect.stringMatching(/^250 /) },
    })
    await eventually(() => expect(mails.map(({ subject }) => subject)).toContain('Test mail'))
    const mail = mails.find(({ subject }) => subject === 'Test mail')!
    expect(mail.to).toMatchObject([{ address: 'ann@engawa.example' }])
    expect(await countLogged(Ann)).toBe(1)
    expect(await checkLog(app)).toMatchObject({ isIntact: true })
    expect((await Ben.post(path)).status).toBe(403)
  })

  test('that is refused shows why, in a limited length and without the password', async () => {
    const encoded = Buffer.from(`\0engawa\0${PASSWORD}`).toString('base64')
    const SMTP_URL = await startRefusingServer(
      () => `No relay for you: ${PASSWORD} ${encoded} ${'long '.repeat(300)}`,
    )
    const { members } = await open({ SMTP_URL })
    const { Ann } = await members('Ann')
    const { status, body } = await Ann.post(path)
    expect([status, body.accepted]).toEqual([200, false])
    expect(body.answer).toMatch(/^550 No relay for you: … … long/)
    expect(body.answer).toHaveLength(MAX_ANSWER)
  })

  test('names the error if no mail server answers', async () => {
    const { members } = await open({ SMTP_URL: 'smtp://127.0.0.1:1' })
    const { Ann } = await members('Ann')
    expect((await Ann.post(path)).body).toEqual({
      accepted: false,
      answer: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('needs a mail server, an address and a confirmation', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    expect(await Ann.post(path)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('SMTP_URL') },
    })
    const other = await open({ SMTP_URL: 'smtp://127.0.0.1:1' })
    const { Ben } = await other.members('Ben')
    await transaction(other.db, (tx) =>
      tx.updateTable('users').set({ email: null, email_verified_at: null, handle: 'ben' }).execute(),
    )
    expect(await Ben.post(path)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('no email address') },
    })
    await ageConfirmations(other.db)
    expect((await Ben.post(path)).status).toBe(423)
    expect(await countLogged(Ben)).toBe(0)
  })

  test('counts as a mail to an address that nobody has verified', async () => {
    const { members, db } = await open({ SMTP_URL: 'smtp://127.0.0.1:1' })
    const { Ann } = await members('Ann')
    await transaction(db, (tx) => tx.updateTable('mail_counts').set({ count: 9 }).execute())
    expect((await Ann.post(path)).status).toBe(200)
    expect((await Ann.post(path)).status).toBe(429)
    expect(await countLogged(Ann)).toBe(1)
  })

  test('can be sent ten times in an hour', async () => {
    // Sets the clock to the middle of an hour, so that no hour ends during the test.
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Math.floor(Date.now() / HOUR) * HOUR + HOUR / 2)
    const app = await open({ SMTP_URL: 'smtp://127.0.0.1:1' })
    const { members, db } = app
    const { Ann } = await members('Ann')
    await verifyAllEmails(app)
    for (let sent = 0; sent < 10; sent++) expect((await Ann.post(path)).status).toBe(200)
    const refused = await Ann.post(path)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600'])
    expect(await countLogged(Ann)).toBe(10)
    expect(JSON.stringify(await readRows(db, 'mail_counts'))).not.toContain('ann')
  })
})

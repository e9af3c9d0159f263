import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp } from '#tests/harness.ts'

interface Office {
  url: string
  port: number
  /** The mails that the test's mail server has received, with their envelopes. */
  received: { mail: Email; from: string; to: string[] }[]
  calls: number
}

/**
 * Starts a mail server that receives mails for tests. `refuse` returns the SMTP status that rejects the
 * recipient of the n-th mail, or undefined to accept it.
 */
async function office({
  port = 0,
  refuse = () => undefined,
  refuseSender = () => false,
  said = 'not now',
}: {
  port?: number
  refuse?: (call: number) => number | undefined
  /** Whether the sender is refused for ever, as of an account that the operator has not set up yet. */
  refuseSender?: () => boolean
  /** The text with which the test's mail server refuses a recipient. */
  said?: string
} = {}): Promise<Office> {
  const here: Office = { url: '', port: 0, received: [], calls: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onMailFrom(_, __, done) {
      done(refuseSender() ? Object.assign(new Error('no such sender'), { responseCode: 550 }) : null)
    },
    onRcptTo(_, __, done) {
      const responseCode = refuse(++here.calls)
      done(responseCode ? Object.assign(new Error(said), { responseCode }) : null)
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        here.received.push({
          mail: await PostalMime.parse(Buffer.concat(chunks)),
          from,
          to: envelope.rcptTo.map(({ address }) => address),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(closed)))
  here.port = (server.server.address() as AddressInfo).port
  here.url = `smtp://127.0.0.1:${here.port}`
  return here
}

const soon = Array<number>(300).fill(10)

/** Waits until the test app has exactly one job and it matches `wanted`. Returns the row of the job. */
const jobOf = ({ db }: TestApp, wanted: object) =>
  eventually(async () => {
    const rows = await readRows(db, 'jobs')
    expect(rows).toMatchObject([wanted])
    return rows[0]!
  })

const sent = { kind: 'mail', finished_at: expect.any(String), failed_at: null }

describe.each(dialectsInTurn())('mail on %s', (dialect) => {
  test('arrives as text and HTML with the link, and the job row keeps no text', async () => {
    const post = await office()
    const env = {
      SMTP_URL: post.url,
      MAIL_FROM: 'Town [north] (a), b <post@town.example>',
      APP_NAME: 'Town & Country',
      PUBLIC_URL: 'https://town.example',
    }
    const context = await createTestApp({ dialect, env })
    const guest = context.visitor()
    const name = '<b>Ann</b> & Co.'
    await guest.get('/sanctum/csrf-cookie')
    const given = {
      name,
      email: 'Ann@engawa.example',
      password: 'correct horse',
      password_confirmation: 'correct horse',
    }
    expect((await guest.post('/api/register', given)).status).toBe(200)
    const row = await jobOf(context, sent)
    expect(post.received).toMatchObject([{ from: 'post@town.example', to: ['Ann@engawa.example'] }])
    const { mail } = post.received[0]!
    expect(mail).toMatchObject({
      subject: 'Verify your email address for Town & Country',
      from: { name: 'Town [north] (a), b', address: 'post@town.example' },
      to: [{ address: 'Ann@engawa.example' }],
    })
    const link =
      /^https:\/\/town\.example\/email\/verify\/1\/[0-9a-f]{40}\?expires=\d+&signature=[0-9a-f]{64}$/m.exec(
        mail.text!,
      )![0]
    expect(mail.text).toContain(name)
    expect(mail.html).not.toContain('<b>')
    expect(mail.html!.replaceAll('&#38;', '&')).toContain(`href="${link}"`)
    expect(mail.html).toContain('<html lang="en">')
    expect((await guest.get(`/api${new URL(link).pathname}${new URL(link).search}`)).status).toBe(200)
    expect(row).toMatchObject({ payload: null, last_error: null, attempts: 1 })
    expect(JSON.stringify(row)).not.toMatch(/signature|@/)
  })

  test('is in Japanese for a member who registers in Japanese', async () => {
    const post = await office()
    const context = await createTestApp({ dialect, env: { SMTP_URL: post.url } })
    await context.visitor({ 'accept-language': 'ja' }).register('Hanako')
    await jobOf(context, sent)
    const { mail } = post.received[0]!
    expect(mail.subject).toBe('【Engawa】メールアドレスの確認')
    expect(mail.text).toContain('Hanakoさん')
    expect(mail.html).toContain('<html lang="ja">')
    expect(mail.html).toContain('メールアドレスを確認する')
  })

  test('is sent again after a temporary error of the mail server', async () => {
    const post = await office({ refuse: (call) => (call <= 2 ? 451 : undefined) })
    const context = await createTestApp({ dialect, env: { SMTP_URL: post.url }, jobRetryDelays: [10, 10] })
    await context.visitor().register('Ann')
    expect(await jobOf(context, sent)).toMatchObject({ attempts: 3, last_error: null, payload: null })
    expect([post.calls, post.received.length]).toEqual([3, 1])
  })

  test('is sent without TLS only to this machine, unless SMTP_URL says otherwise', async () => {
    const post = await office()
    // 127.1 is another spelling of 127.0.0.1. The app does not know it as a local name, so it demands TLS.
    const url = `smtp://127.1:${post.port}`
    const strict = await createTestApp({ dialect, env: { SMTP_URL: url }, jobRetryDelays: [] })
    await strict.visitor().register('Ann')
    // Expects that the mail is not sent, because the app demands TLS and this mail server does not support
    // STARTTLS.
    await jobOf(strict, {
      failed_at: expect.any(String),
      last_error: expect.stringMatching(/command not recognized/),
    })
    expect([post.calls, post.received.length]).toEqual([0, 0])
    const testApp = await createTestApp({ dialect, env: { SMTP_URL: `${url}?requireTLS=false` } })
    await testApp.visitor().register('Ann')
    await jobOf(testApp, sent)
    expect(post.received).toHaveLength(1)
  })

  test('that the server rejects leaves no address in the job row', async () => {
    const post = await office({ refuse: () => 550, said: 'no <ann@engawa.example> here, ask x@y.example' })
    const context = await createTestApp({ dialect, env: { SMTP_URL: post.url } })
    await context.visitor().register('Ann')
    const row = await jobOf(context, {
      failed_at: expect.any(String),
      last_error: expect.stringMatching(/550/),
    })
    expect(row.last_error).toBe('550 no <…> here, ask …')
  })

  test('is sent again if the sender or a policy was refused, because the operator may correct it', async () => {
    let isSenderRefused = true
    const post = await office({
      refuseSender: () => isSenderRefused,
      refuse: (call) => (call === 1 ? 550 : undefined),
      said: '5.7.1 the network is on a list',
    })
    const context = await createTestApp({ dialect, env: { SMTP_URL: post.url }, jobRetryDelays: soon })
    await context.visitor().register('Ann')
    await jobOf(context, { last_error: expect.stringMatching(/no such sender/), failed_at: null })
    isSenderRefused = false
    await jobOf(context, sent)
    expect([post.calls, post.received.length]).toEqual([2, 1])
    expect(post.received[0]!.mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
  })

  test('waits for a server that is down', async () => {
    const { port, url } = await getStoppedMailServer()
    const context = await createTestApp({ dialect, env: { SMTP_URL: url }, jobRetryDelays: soon })
    const answer = await context.visitor().register('Ann')
    expect(answer).toBe(1)
    const refused = { last_error: expect.stringMatching(/ECONNREFUSED/), finished_at: null, failed_at: null }
    const { payload } = await jobOf(context, refused)
    expect(JSON.parse(String(payload))).toMatchObject({ link: expect.stringContaining('signature=') })
    const post = await office({ port })
    await jobOf(context, sent)
    expect(post.received).toHaveLength(1)
  })

  test('fails for good after the last delay, and is not sent again', async () => {
    const post = await office({ refuse: () => 451 })
    const context = await createTestApp({ dialect, env: { SMTP_URL: post.url }, jobRetryDelays: [10, 10] })
    await context.visitor().register('Ann')
    await jobOf(context, {
      failed_at: expect.any(String),
      finished_at: null,
      attempts: 3,
      last_error: expect.stringMatching(/451/),
    })
    context.context.jobs.wake()
    await context.context.jobs.idle()
    expect([post.calls, post.received.length]).toEqual([3, 0])
  })

  test('is not sent when the registration fails', async () => {
    const post = await office()
    const context = await createTestApp({ dialect, env: { SMTP_URL: post.url } })
    const ann = context.visitor()
    await ann.register('Ann')
    await jobOf(context, sent)
    const guest = context.visitor()
    await guest.get('/sanctum/csrf-cookie')
    const given = {
      name: 'Ben',
      email: 'ann@engawa.example',
      password: 'correct horse',
      password_confirmation: 'correct horse',
    }
    expect((await guest.post('/api/register', given)).status).toBe(422)

    // Renames a column, so that the last step of the registration's transaction fails and rolls it back.
    await transaction(context.db, (tx) =>
      sql`alter table security_log rename column created_at to made_at`.execute(tx),
    )
    expect((await guest.post('/api/register', { ...given, email: 'ben@engawa.example' })).status).toBe(500)
    context.context.jobs.wake()
    await context.context.jobs.idle()
    expect(await readRows(context.db, 'jobs')).toHaveLength(1)
    expect((await readRows(context.db, 'users')).map(({ name }) => name)).toEqual(['Ann'])
    expect(post.received).toHaveLength(1)
  })

  test('is written to a file where there is no SMTP_URL', async () => {
    const context = await createTestApp({ dialect })
    await context.visitor().register('Ann')
    expect(await jobOf(context, sent)).toMatchObject({ payload: null })
    const [file, ...others] = await readdir(join(context.folder, 'mail'))
    expect(others).toEqual([])
    expect(file).toMatch(/\.eml$/)
    const mail = await PostalMime.parse(await readFile(join(context.folder, 'mail', file!)))
    expect(mail).toMatchObject({
      to: [{ address: 'ann@engawa.example' }],
      from: { address: 'engawa@localhost' },
      html: expect.any(String),
      // The Message-ID contains the id of the job, so all attempts to send a mail have the same Message-ID.
      messageId: expect.stringMatching(/^<1\.\d{13}@localhost>$/),
    })
    expect(mail.text).toMatch(/\/email\/verify\/1\/[0-9a-f]{40}\?expires=\d+&signature=[0-9a-f]{64}/)
  })
})

/** Returns the address of a mail server of the test that has stopped. */
async function getStoppedMailServer() {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((closed) => server.close(() => closed()))
  return { port, url: `smtp://127.0.0.1:${port}` }
}

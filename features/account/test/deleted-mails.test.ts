import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { mailHandler } from '#core/mail/transports.ts'
import * as deletions from '#features/account/deletion.ts'
import { runDeletions } from '#tests/account-deletion.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { mailMessage } from '#tests/jobs.ts'
import { ANN_EMAIL, appWithMails, logInStatus, OLD_PASSWORD, requestReset, unsentMails } from './resets.ts'

const DAY = 24 * 3600_000
afterEach(() => vi.useRealTimers())

const changeEmail = async (client: TestClient, email: string) =>
  expect((await client.post('/api/account/email', { email })).status).toBe(200)

/** Reads the mails that the server has stored as files, and returns a map from file name to content. */
async function readMailFiles({ context, folder }: TestApp) {
  await context.jobs.idle()
  const names = await readdir(join(folder, 'mail'))
  const texts = names.map(async (name) => [name, await readFile(join(folder, 'mail', name), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

/** Lists the recipients of the mails that the server has stored as files, in the order of the file names. */
async function listReceivers(app: TestApp) {
  const files = [...(await readMailFiles(app))].sort()
  return files.map(([, text]) => /^To: (\S+)$/m.exec(text)![1])
}

/**
 * Returns the token that verifies a new email address, from the newest mail that the server has stored as a
 * file.
 */
async function readVerifyToken(app: TestApp) {
  const text = [...(await readMailFiles(app))].sort().at(-1)![1]
  return /#verify=([\w-]{43})/.exec(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))![1]
}

describe.each(dialectsInTurn())('mails on %s', (dialect) => {
  test('of a change of the address are deleted when it is given up, replaced or too old', async () => {
    const app = await createTestApp({ dialect })
    const { Ann } = await app.members('Ann')
    await changeEmail(Ann, 'one@engawa.example')
    await changeEmail(Ann, 'two_2@engawa.example')
    expect(await listReceivers(app)).toEqual([ANN_EMAIL, 'two_2@engawa.example'])
    expect((await Ann.delete('/api/account/email')).status).toBe(204)
    expect(await listReceivers(app)).toEqual([ANN_EMAIL])
    await changeEmail(Ann, 'three@engawa.example')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY + 60_000 })
    await logInStatus(Ann, OLD_PASSWORD)
    await changeEmail(Ann, 'four@engawa.example')
    expect(await listReceivers(app)).toEqual([ANN_EMAIL, 'four@engawa.example'])
  })

  test('of a change that is given up are not sent later, and those of others stay', async () => {
    const app = await appWithMails(dialect)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await changeEmail(Ann, 'a_b@engawa.example')
    await changeEmail(Ben, 'a_b@engawa.example')
    await Ann.delete('/api/account/email')
    const names = (await unsentMails(app)).filter(({ to }) => to.startsWith('a_b')).map(({ text }) => text)
    expect(names).toEqual([expect.stringContaining('Hello Ben')])
  })

  test('to earlier addresses go with the account, also after the week in which a change can be undone', async () => {
    const app = await createTestApp({ dialect })
    const { Ben } = await app.members('Ann', 'Ben')
    await changeEmail(Ben, 'second@engawa.example')
    await Ben.post('/api/account/email/verify', { token: await readVerifyToken(app) })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * DAY })
    await logInStatus(Ben, OLD_PASSWORD, 'second@engawa.example')
    await changeEmail(Ben, 'third@engawa.example')
    expect((await Ben.send('DELETE', '/api/account', { messages: 'delete' })).status).toBe(200)
    await runDeletions(app)
    expect(await listReceivers(app)).toEqual([ANN_EMAIL])
  })

  test('that version 0.2 has written go with the account', async () => {
    const app = await createTestApp({ dialect })
    const { Ben } = await app.members('Ann', 'Ben')
    await mkdir(join(app.folder, 'mail'), { recursive: true })
    const old = (to: string) => `From: x@y.example\r\nTo: ${to}\r\nSubject: x\r\n\r\nHello`
    await writeFile(join(app.folder, 'mail', '000100.eml'), old('ben@engawa.example'))
    await writeFile(join(app.folder, 'mail', '000101.eml'), old(ANN_EMAIL))
    await Ben.send('DELETE', '/api/account', { messages: 'delete' })
    await runDeletions(app)
    expect([...(await readMailFiles(app)).keys()].sort()).toEqual(['000001-account-1.eml', '000101.eml'])
  })

  test('that wait for the mail server go with the account, whatever their address', async () => {
    const app = await appWithMails(dialect)
    const { Ben } = await app.members('Ann', 'Ben')
    await changeEmail(Ben, 'second@engawa.example')
    await requestReset(app.visitor(), 'ben@engawa.example')
    await transaction(app.db, (tx) => tx.deleteFrom('email_changes').execute())
    const { body } = await Ben.send('DELETE', '/api/account', { messages: 'delete' })
    expect((await unsentMails(app)).map(({ to }) => to)).toHaveLength(4)
    await deletions.run(app.context, { user_id: Ben.id, due_at: body.due_at })
    expect((await unsentMails(app)).map(({ to }) => to)).toEqual([ANN_EMAIL])
  })

  test('of an account that is deleted meanwhile are not sent, and their content goes', async () => {
    const app = await appWithMails(dialect)
    await transaction(app.db, (tx) => enqueueMail(tx, 99, mailMessage))
    expect(await unsentMails(app)).toEqual([])
    expect(await readRows(app.db, 'jobs')).toMatchObject([{ finished_at: expect.any(String) }])
  })

  test.each(['the account', 'the job'])(
    'leave no file if %s is deleted while it is written',
    async (what) => {
      const app = await createTestApp({ dialect })
      await transaction(app.db, (tx) =>
        tx
          .insertInto('jobs')
          .values({ kind: 'other', payload: '{}', created_at: '2026-01-01', run_at: '2026-01-01' })
          .execute(),
      )
      const [job] = await readRows(app.db, 'jobs')
      let checks = 0
      const hasAccount = async () => {
        checks++
        if (checks === 1 && what === 'the job')
          await transaction(app.db, (tx) => tx.deleteFrom('jobs').execute())
        return what === 'the job' || checks === 1
      }
      const handler = mailHandler({ ...app.context, config: app.config }, hasAccount)
      const { signal } = new AbortController()
      const details = { id: Number(job!.id), createdAt: new Date().toISOString(), signal }
      await handler({ ...mailMessage, user_id: 1 }, details)
      expect(checks).toBeGreaterThan(0)
      expect(await readMailFiles(app)).toEqual(new Map())
    },
  )
})

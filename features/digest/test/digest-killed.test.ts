import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { ageMember, makeJobsDue } from '#tests/absent-members.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { type ServerEnvironment, startServer, stopServers } from '#tests/server.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'

afterAll(stopServers)

const preload = join(import.meta.dirname, '../../../tests/kill-at-statement.ts')

/**
 * Runs a server that kills its own process at the first SQL statement that contains this text. Resolves when
 * it is dead.
 */
async function runUntilKilled(env: ServerEnvironment, statement: string) {
  const killed = { ...env, NODE_OPTIONS: `--import=${preload}`, KILL_AT_STATEMENT: statement }
  const server = await startServer(killed).catch((error: Error) => error)
  if (server instanceof Error) return
  const isServing = () => fetch(`${server.url}/healthz`).then(Boolean, () => false)
  await expect.poll(isServing, { timeout: 20_000, interval: 20 }).toBe(false)
}

describe.each(dialectsInTurn())('a process that mails a digest on %s', (dialect) => {
  test.each([
    ['before the digest is stored', 'insert into "digests"', 1],
    ['after it is stored', 'set "sending_since"', 1],
    ['after the mail server took it', 'set "sent_at"', 1],
  ])('and is killed %s mails it once', async (_, statement, count) => {
    const mailServer = await startMailServer()
    onTestFinished(mailServer.close)
    const community = await createTestApp({ dialect, env: { SMTP_URL: mailServer.url } })
    const { app, db, folder, url } = community
    const { Ann, Ben } = await community.members('Ann', 'Ben')
    await verifyAllEmails(community)
    const { post } = (await Ben.post('/api/posts', { text: 'Rhubarb' })).body
    await Ann.post(`/api/posts/${post.id}/like`)
    await community.context.jobs.idle()
    await app.close()
    await ageMember(db, Ben.id, 9)
    mailServer.mails.length = 0
    const env = { DATA_DIR: folder, SMTP_URL: mailServer.url, ...(url && { DATABASE_URL: url }) }
    await runUntilKilled(env, statement)
    await makeJobsDue(db)
    const next = await startServer(env)
    const isDone = async () => {
      const jobs = await readRows(db, 'jobs')
      return jobs.some(({ kind, finished_at }) => kind === 'digest_mail' && finished_at !== null)
    }
    await expect.poll(isDone, { timeout: 20_000, interval: 50 }).toBe(true)
    expect(mailServer.mails.map(({ subject }) => subject)).toEqual(Array(count).fill('What is new at Engawa'))
    await next.stop()
  })
})

import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { DELETED_NAME, deletionScene } from '#tests/account-deletion.ts'
import { sample } from '#tests/deep.ts'
import { dialectsInTurn, readRows, type TestApp } from '#tests/harness.ts'
import { type ServerEnvironment, startServer, stopServers } from '#tests/server.ts'

afterAll(stopServers)

/**
 * Parts of the SQL statements that a server runs to delete an account, in order: the job begins, one
 * transaction deletes the rows of all features and commits, and then the pictures are deleted. The test kills
 * a server at each of these statements in the deep stage; otherwise at a sample of them.
 */
const stepsBeforeCommit = [
  'from "account_deletions"',
  'delete from "posts"',
  'update posts',
  'insert into "users"',
  'update conversations set pair',
  'insert into "group_changes"',
  'delete from "exports" where "user_id"',
  'delete from "users"',
  `delete from "jobs" where "kind"`,
]
const stepsAfterCommit = [
  'delete from "unreferenced_media"',
  'delete from "media"',
  'delete from "pending_media"',
]

const preload = join(import.meta.dirname, 'kill-at-statement.ts')
const killEnv = (statement: string): ServerEnvironment => ({
  NODE_OPTIONS: `--import=${preload}`,
  KILL_AT_STATEMENT: statement,
})

/**
 * Makes all unfinished jobs in the database due at once, although the killed process still has their leases.
 * Sets their number of attempts to 0, so that the limit of attempts is not reached.
 */
const makeJobsDue = ({ db }: TestApp) =>
  transaction(db, (tx) =>
    tx
      .updateTable('jobs')
      .set({ run_at: new Date().toISOString(), leased_by: null, attempts: 0 })
      .where('finished_at', 'is', null)
      .execute(),
  )

/**
 * Starts a server that kills itself at the SQL statement named in `env`. Waits until it has ended, and
 * returns its output.
 */
async function runUntilKilled(env: ServerEnvironment) {
  const server = await startServer(env).catch((error: Error) => error)
  if (server instanceof Error) return server.message
  const isServing = () =>
    fetch(`${server.url}/healthz`).then(
      () => true,
      () => false,
    )
  await expect.poll(isServing, { timeout: 20_000, interval: 20 }).toBe(false)
  return server.logs()
}

describe.each(dialectsInTurn())('a process that deletes an account on %s', (dialect) => {
  // Kills servers of the same community at all steps: a kill before the commit changes nothing, and after the
  // commit each new server continues where the killed one stopped.
  test('and is killed before each step deletes it once after the last start', async () => {
    const community = await deletionScene({ dialect })
    const { leaver, db, folder, url, ann, app, posts } = community
    expect((await leaver.send('DELETE', '/api/account', { messages: 'keep' })).status).toBe(200)
    await app.close()
    const env = { DATA_DIR: folder, RATE_LIMIT: 'off', ...(url && { DATABASE_URL: url }) }
    const nameOfLeaver = async () =>
      (await readRows(db, 'users')).filter(({ name }) => name === DELETED_NAME).length
    const unfinished = async () =>
      (await readRows(db, 'jobs')).filter(
        ({ kind, finished_at }) => kind === 'delete_account' && !finished_at,
      )
    const logs: string[] = []
    // At the first statement after the commit, the account is already deleted, but its pictures are not.
    for (const step of [...sample(stepsBeforeCommit), ...sample(stepsAfterCommit, 0)]) {
      const isCommitted = stepsAfterCommit.includes(step)
      await makeJobsDue(community)
      logs.push(await runUntilKilled({ ...env, ...killEnv(step) }))
      expect(await nameOfLeaver(), step).toBe(isCommitted ? 0 : 1)
      if (!isCommitted) expect(await unfinished(), step).toHaveLength(1)
    }

    await makeJobsDue(community)
    const server = await startServer(env)
    await expect.poll(unfinished, { timeout: 20_000, interval: 20 }).toEqual([])
    const left = async () => [
      ...(await readRows(db, 'unreferenced_media')),
      ...(await readRows(db, 'pending_media')),
    ]
    await expect.poll(left, { timeout: 20_000, interval: 20 }).toEqual([])
    await server.stop()
    const members = await readRows(db, 'users')
    expect(members.map(({ name }) => name)).toEqual(['ann', 'ben', ''])
    expect(await readRows(db, 'posts')).toMatchObject([{ id: posts.ann.id, likes_count: 1 }])
    const changes = await readRows(db, 'group_changes')
    expect(changes.filter(({ kind }) => kind === 'left')).toHaveLength(1)
    const written = (await readRows(db, 'messages')).filter(({ user_id }) => user_id !== ann.id)
    expect(new Set(written.map(({ user_id }) => user_id))).toEqual(new Set([members[2]!.id]))
    const pictures = (await readRows(db, 'media')).map(({ name }) => String(name))
    const files = await community.mediaFiles()
    expect(new Set(files.map((file) => file.slice(0, file.lastIndexOf('-'))))).toEqual(new Set(pictures))
    const printed = [...logs, server.logs()].join('').toLowerCase()
    expect(printed).toContain('engawa is ready')
    expect(printed).not.toContain(DELETED_NAME.toLowerCase())
  }, 240_000)
})

import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createCommunityOfLeaver, LEAVER } from '#tests/account-deletion.ts'
import { dialects, readTableRows, type TestApp } from '#tests/harness.ts'
import { type Env, startServer, stopAllServers } from '#tests/server.ts'

afterAll(stopAllServers)

/**
 * A part of an SQL statement of each step of a deletion, in their order: the job begins, the transaction
 * deletes the rows of each feature, the commit follows, and the pictures are deleted.
 */
const steps = [
  'from "account_deletions"',
  'from "email_changes"',
  'delete from "posts"',
  'update posts',
  'insert into "users"',
  'update conversations set pair',
  'insert into "group_changes"',
  'delete from "users"',
  `delete from "jobs" where "kind"`,
  'delete from "unreferenced_media"',
  'delete from "media"',
  'delete from "pending_media"',
]

const preload = join(import.meta.dirname, 'kill-at-statement.ts')
const killEnv = (statement: string): Env => ({
  NODE_OPTIONS: `--import=${preload}`,
  KILL_AT_STATEMENT: statement,
})

/** Makes the jobs due, and ends the leases of a killed process. */
const makeJobsDue = ({ db }: TestApp) =>
  transaction(db, (tx) =>
    tx
      .updateTable('jobs')
      .set({ run_at: new Date().toISOString(), leased_by: null })
      .where('finished_at', 'is', null)
      .execute(),
  )

/** Starts a server that kills itself at a statement. Resolves to its output when it is gone. */
async function runUntilKilled(env: Env) {
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

describe.each(dialects)('a process that deletes an account on %s', (dialect) => {
  test.each(steps)(
    'and is killed before “%s” deletes it once after the next start',
    async (step) => {
      const community = await createCommunityOfLeaver({ dialect })
      const { leaver, db, folder, url, ann, app, posts } = community
      expect((await leaver.send('DELETE', '/api/account', { messages: 'keep' })).status).toBe(200)
      await app.close()
      await makeJobsDue(community)
      const env = { DATA_DIR: folder, RATE_LIMIT: 'off', ...(url && { DATABASE_URL: url }) }
      const firstLogs = await runUntilKilled({ ...env, ...killEnv(step) })

      await makeJobsDue(community)
      const server = await startServer(env)
      const unfinished = async () =>
        (await readTableRows(db, 'jobs')).filter(
          ({ kind, finished_at }) => kind === 'delete_account' && !finished_at,
        )
      await expect.poll(unfinished, { timeout: 20_000, interval: 20 }).toEqual([])
      const left = async () => [
        ...(await readTableRows(db, 'unreferenced_media')),
        ...(await readTableRows(db, 'pending_media')),
      ]
      await expect.poll(left, { timeout: 20_000, interval: 20 }).toEqual([])
      await server.stop()
      const members = await readTableRows(db, 'users')
      expect(members.map(({ name }) => name)).toEqual(['ann', 'ben', ''])
      expect(await readTableRows(db, 'posts')).toMatchObject([{ id: posts.ann.id, likes_count: 1 }])
      const changes = await readTableRows(db, 'group_changes')
      expect(changes.filter(({ kind }) => kind === 'left')).toHaveLength(1)
      const written = (await readTableRows(db, 'messages')).filter(({ user_id }) => user_id !== ann.id)
      expect(new Set(written.map(({ user_id }) => user_id))).toEqual(new Set([members[2]!.id]))
      const pictures = (await readTableRows(db, 'media')).map(({ name }) => String(name))
      const files = await community.mediaFiles()
      expect(new Set(files.map((file) => file.slice(0, file.lastIndexOf('-'))))).toEqual(new Set(pictures))
      const logs = (firstLogs + server.logs()).toLowerCase()
      expect(logs).toContain('engawa is ready')
      expect(logs).not.toContain(LEAVER.toLowerCase())
    },
    60_000,
  )
})

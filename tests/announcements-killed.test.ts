import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { announced } from '#features/notifications/test/announcement-helpers.ts'
import { makeJobsDue } from '#tests/absent-members.ts'
import { sample } from '#tests/deep.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { insertMembers } from '#tests/members.ts'
import { axiosMember } from '#tests/sanctum.ts'
import { type ServerEnvironment, startServer } from '#tests/server.ts'

vi.setConfig({ testTimeout: 120_000 })
const preload = join(import.meta.dirname, 'kill-at-statement.ts')

/**
 * The number of members of the test. The server stores the notifications of so many members in several
 * transactions.
 */
const MEMBERS = 1500

/** Parts of the SQL statements with which the server stores one batch of notifications, in order. */
const statementsOfBatch = [
  'insert into "notifications"',
  'insert into "notification_events"',
  'update "notifications" set "last_event_id"',
]

describe.each(dialectsInTurn())('a server that is killed while it tells everyone on %s', (dialect) => {
  test('notifies each member exactly once after its next start', async () => {
    const community = await createTestApp({ dialect })
    const { app, db, folder, url } = community
    // The cookies are for this host, which is that of the servers below.
    const here = `http://localhost:${new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port}`
    const mia = await axiosMember(here, 'Mia')
    await insertMembers(community, MEMBERS)
    const { data } = await mia.http.post('/api/posts', { text: 'The door code changes' })
    await app.close()
    const env: ServerEnvironment = {
      DATA_DIR: folder,
      RATE_LIMIT: 'off',
      ...(url && { DATABASE_URL: url }),
    }
    const countNotifications = async () => (await readRows(db, 'notifications')).length
    /**
     * Pins the post and tells everyone. Returns the response status; undefined if the server was killed
     * before its response.
     */
    const announce = (to: string) =>
      mia.http.put(`${to}/api/posts/${data.post.id}/pin`, { tell_everyone: true }).then(
        ({ status }) => status,
        () => undefined,
      )
    const startAndKillAt = (statement: string) =>
      startServer({
        ...env,
        NODE_OPTIONS: `--import=${preload}`,
        KILL_AT_STATEMENT: statement,
      })

    // Kills the server when it stores the job, and expects that the announcement is not stored either.
    const first = await startAndKillAt('insert into "jobs"')
    expect(await announce(first.url)).toBeUndefined()
    expect(await readRows(db, 'post_announcements')).toEqual([])

    // Kills the server while it stores the first batch of notifications: the announcement is already
    // committed, but this batch is not.
    for (const statement of sample(statementsOfBatch, 0)) {
      const killed = await startAndKillAt(statement)
      await announce(killed.url)
      await eventually(() => expect(fetch(killed.url)).rejects.toThrow())
      expect(await countNotifications(), statement).toBe(0)
      expect(await readRows(db, 'post_announcements')).toHaveLength(1)
      await makeJobsDue(db)
    }

    // Kills the server while some batches are committed and others are not, unless this test process is
    // slower than seven pauses between batches.
    const third = await startServer(env)
    while ((await countNotifications()) === 0) await sleep(5)
    await third.stop('SIGKILL')
    await makeJobsDue(db)

    const last = await startServer(env)
    await announced(db)
    expect(await announce(last.url)).toBe(200)
    await announced(db)
    const rows = await readRows(db, 'notifications')
    expect(rows).toHaveLength(MEMBERS)
    expect(new Set(rows.map(({ user_id }) => user_id)).size).toBe(MEMBERS)
    expect(await readRows(db, 'notification_events')).toHaveLength(MEMBERS)
    await last.stop()
  })
})

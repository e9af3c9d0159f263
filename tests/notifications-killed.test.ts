import { join } from 'node:path'
import { expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deep } from '#tests/deep.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { axiosMember } from '#tests/sanctum.ts'
import { type ServerEnvironment, startServer } from '#tests/server.ts'

const preload = join(import.meta.dirname, 'kill-at-statement.ts')

/**
 * Parts of the SQL statements that store a notification, in order. The test kills a server at one of them in
 * each act; in the deep stage, at each of them in each act.
 */
const steps = [
  'insert into notifications',
  'insert into notification_events',
  'update notifications set last_event_id',
]

/** The acts of Ben, each with the table in which it is stored, and the path and body of its request. */
const acts = ({ post, ann }: { post: number; ann: number }) => [
  { name: 'like', table: 'likes', path: `/api/posts/${post}/like`, body: {} },
  {
    name: 'reply',
    table: 'replies',
    path: `/api/posts/${post}/replies`,
    body: { text: 'Lovely', client_id: 'one' },
  },
  { name: 'follow', table: 'follows', path: `/api/follow/${ann}`, body: {} },
]

test.each(dialectsInTurn())(
  'a process that is killed between an act and its notification on %s stores both or neither, and a repeated request notifies once',
  async (dialect) => {
    const { app, db, folder, url } = await createTestApp({ dialect })
    // The cookies are for this host, which is that of the servers below.
    const here = `http://localhost:${new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port}`
    const ann = await axiosMember(here, 'Ann')
    const ben = await axiosMember(here, 'Ben')
    const { data } = await ann.http.post('/api/posts', { text: 'Rhubarb' })
    // Ann, the admin, was told that Ben has joined.
    await transaction(db, (tx) => tx.deleteFrom('notifications').execute())
    await app.close()
    const env: ServerEnvironment = {
      DATA_DIR: folder,
      RATE_LIMIT: 'off',
      ...(url && { DATABASE_URL: url }),
    }
    const all = acts({ post: data.post.id, ann: ann.id })
    /**
     * Sends Ben's request to a server. Returns the response status; undefined if the server was killed before
     * its response.
     */
    const act = (to: string, { path, body }: (typeof all)[number]) =>
      ben.http.post(to + path, body).then(
        ({ status }) => status,
        () => undefined,
      )
    const actAll = async (to: string) => {
      for (const status of await Promise.all(all.map((one) => act(to, one)))) expect(status).toBeLessThan(300)
    }
    const count = async () => {
      const tables = [...all.map(({ table }) => table), 'notifications', 'notification_events']
      const rows = await Promise.all(tables.map((table) => readRows(db, table)))
      return Object.fromEntries(tables.map((table, index) => [table, rows[index]!.length]))
    }
    const nothing = { likes: 0, replies: 0, follows: 0, notifications: 0, notification_events: 0 }
    for (const [index, one] of all.entries())
      for (const statement of deep ? steps : [steps[index]!]) {
        const killEnv = { NODE_OPTIONS: `--import=${preload}`, KILL_AT_STATEMENT: statement }
        const killed = await startServer({ ...env, ...killEnv })
        expect(await act(killed.url, one), `${one.name} ${statement}`).toBeUndefined()
        expect(await count(), `${one.name} ${statement}`).toEqual(nothing)
      }
    const first = await startServer(env)
    await actAll(first.url)
    await first.stop('SIGKILL')
    const once = { likes: 1, replies: 1, follows: 1, notifications: 3, notification_events: 3 }
    expect(await count()).toEqual(once)
    const second = await startServer(env)
    await actAll(second.url)
    // Expects no like after the second request, because a repeated like request takes the like back.
    expect(await count()).toEqual({ ...once, likes: 0 })
    await second.stop()
  },
)

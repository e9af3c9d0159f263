import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestApp, readTestTableRows, testDatabaseDialects } from '#tests/harness.ts'
import { registerTestMemberWithAxios } from '#tests/sanctum.ts'
import { startTestServerProcess, type TestServerEnvVariables } from '#tests/server.ts'

const preload = join(import.meta.dirname, 'kill-at-statement.ts')

/**
 * Parts of the SQL statements that store a notification, in order. The test kills a server at each of them.
 */
const steps = [
  'insert into notifications',
  'insert into notification_events',
  'update notifications set last_event_id',
]

describe.each(testDatabaseDialects)(
  'a process that is killed between an act and its notification on %s',
  (dialect) => {
    test.each<[string, string, (ids: { post: number; ann: number }) => [path: string, body: object]]>([
      ['like', 'likes', ({ post }) => [`/api/posts/${post}/like`, {}]],
      [
        'reply',
        'replies',
        ({ post }) => [`/api/posts/${post}/replies`, { text: 'Lovely', client_id: 'one' }],
      ],
      ['follow', 'follows', ({ ann }) => [`/api/follow/${ann}`, {}]],
    ])('stores both or neither, and a repeated %s request notifies once', async (_, table, toRequest) => {
      const community = await createTestApp({ dialect })
      const { app, db, folder, url } = community
      await app.close()
      const env: TestServerEnvVariables = {
        DATA_DIR: folder,
        RATE_LIMIT: 'off',
        ...(url && { DATABASE_URL: url }),
      }
      const server = await startTestServerProcess(env)
      const ann = await registerTestMemberWithAxios(server.url, 'Ann')
      const ben = await registerTestMemberWithAxios(server.url, 'Ben')
      const { data } = await ann.http.post('/api/posts', { text: 'Rhubarb' })
      await server.stop()
      const [path, body] = toRequest({ post: data.post.id, ann: ann.id })
      /**
       * Sends Ben's request to a server. Returns the response status; undefined if the server was killed
       * before its response.
       */
      const act = (to: string) =>
        ben.http.post(to + path, body).then(
          ({ status }) => status,
          () => undefined,
        )
      const count = async () => ({
        acts: (await readTestTableRows(db, table)).length,
        notifications: (await readTestTableRows(db, 'notifications')).length,
        events: (await readTestTableRows(db, 'notification_events')).length,
      })
      for (const statement of steps) {
        const killEnv = { NODE_OPTIONS: `--import=${preload}`, KILL_AT_STATEMENT: statement }
        const killed = await startTestServerProcess({ ...env, ...killEnv })
        expect(await act(killed.url), statement).toBeUndefined()
        expect(await count(), statement).toEqual({ acts: 0, notifications: 0, events: 0 })
      }
      const first = await startTestServerProcess(env)
      expect(await act(first.url)).toBeLessThan(300)
      await first.stop('SIGKILL')
      expect(await count()).toEqual({ acts: 1, notifications: 1, events: 1 })
      const second = await startTestServerProcess(env)
      expect(await act(second.url)).toBeLessThan(300)
      // Expects no like after the second request, because a repeated like request takes the like back.
      expect(await count()).toEqual({ acts: table === 'likes' ? 0 : 1, notifications: 1, events: 1 })
      await second.stop()
    })
  },
)

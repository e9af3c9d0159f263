import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { makeJobsDue } from '#tests/absent-members.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { axiosMember } from '#tests/sanctum.ts'
import { startServer } from '#tests/server.ts'
import { inMinutes } from './scheduled-scene.ts'

vi.setConfig({ testTimeout: 120_000 })
const preload = join(import.meta.dirname, '../../../tests/kill-at-statement.ts')

/** Statements with which the server sends a post. */
const statements = ['delete from "scheduled"', 'insert into "posts"']

describe.each(dialectsInTurn())('a server that is killed while it sends a post on %s', (dialect) => {
  test('sends it once after its next start', async () => {
    const community = await createTestApp({ dialect })
    const { app, db, folder, url } = community
    // The cookies are for this host, which is that of the servers below.
    const here = `http://localhost:${new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port}`
    const mia = await axiosMember(here, 'Mia')
    const due_at = inMinutes(60)
    await mia.http.post(`${here}/api/scheduled/posts`, { text: 'Breakfast', due_at })
    const { data } = await mia.http.post(`${here}/api/groups`, { name: 'Kitchen' })
    const group_id = data.group.id
    await mia.http.post(`${here}/api/scheduled/messages`, { message: 'Lunch', group_id, due_at })
    await app.close()
    const env = { DATA_DIR: folder, RATE_LIMIT: 'off', ...(url && { DATABASE_URL: url }) }
    const posts = async () => (await readRows(db, 'posts')).map(({ body }) => body)
    for (const KILL_AT_STATEMENT of statements) {
      const killed = await startServer({ ...env, NODE_OPTIONS: `--import=${preload}`, KILL_AT_STATEMENT })
      await transaction(db, (tx) =>
        sql`update scheduled set due_at = ${inMinutes(-1)} where id = 1`.execute(tx),
      )
      await makeJobsDue(db)
      // The new job of the message makes the server look for those that are due.
      await mia.http.put(`${killed.url}/api/scheduled/2`, { due_at: inMinutes(60) }).catch(() => {})
      await eventually(() => expect(fetch(killed.url)).rejects.toThrow())
      expect(await posts()).toEqual([])
    }
    await makeJobsDue(db)
    const last = await startServer(env)
    await eventually(async () => expect(await posts()).toEqual(['Breakfast']))
    expect((await readRows(db, 'scheduled')).map(({ id }) => Number(id))).toEqual([2])
    await last.stop()
  })
})

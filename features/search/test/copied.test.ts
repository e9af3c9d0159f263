import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { allMigrations } from '#app.ts'
import { replaceTables } from '#core/backup/database-copy.ts'
import { withReadTransaction } from '#core/backup/sqlite-file.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, databases, readRows } from '#tests/harness.ts'
import { axiosMember } from '#tests/sanctum.ts'
import { startServer } from '#tests/server.ts'
import { compare } from '../compare.ts'
import * as upkeep from '../upkeep.ts'
import { names, post, startScene } from './search-scene.ts'

vi.setConfig({ testTimeout: 120_000 })
const preload = join(import.meta.dirname, '../../../tests/kill-at-statement.ts')

test.each(databases)('a community that was moved to %s is found there', async (dialect) => {
  const { Ann, folder } = await startScene('sqlite')
  const id = await post(Ann, '学校で避難訓練')
  const target = await createTestApp({ dialect })
  await withReadTransaction(join(folder, 'engawa.db'), (source) =>
    replaceTables(source, target.db, allMigrations, async () => {}),
  )
  await upkeep.lookAfter(target.db)
  expect((await readRows(target.db, 'search_marks')).length).toBe(0)
  expect(await upkeep.progress(target.db)).toMatchObject({ isComplete: true })
  expect(await names(target.visitor(), '訓練')).toEqual([`post ${id}`])
})

test('a server that is killed between a post and its words has neither', async () => {
  const { app, folder, db } = await createTestApp({ dialect: 'sqlite' })
  const here = `http://localhost:${new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port}`
  const mia = await axiosMember(here, 'Mia')
  await mia.http.post(`${here}/api/posts`, { text: 'rain before' })
  await app.close()
  const env = { DATA_DIR: folder, RATE_LIMIT: 'off' }
  const killed = await startServer({
    ...env,
    NODE_OPTIONS: `--import=${preload}`,
    KILL_AT_STATEMENT: 'insert into "search_posts_recent"',
  })
  await mia.http.post(`${killed.url}/api/posts`, { text: 'rain after' }).catch(() => {})
  await eventually(() => expect(fetch(killed.url)).rejects.toThrow())
  expect((await readRows(db, 'posts')).map(({ body }) => body)).toEqual(['rain before'])
  const last = await startServer(env)
  const { data } = await mia.http.get(`${last.url}/api/search?q=rain`)
  expect(data.map(({ snippet }: { snippet: string }) => snippet)).toEqual(['rain before'])
  await last.stop()
  expect(await withReadTransaction(join(folder, 'engawa.db'), (snapshot) => compare(snapshot))).toEqual([])
})

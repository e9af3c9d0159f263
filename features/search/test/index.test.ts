import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Db, isPostgres } from '#core/database/database.ts'
import { openSnapshot } from '#core/database/sqlite.ts'
import { postgresSnapshot, transaction } from '#core/database/transaction.ts'
import { createGroup, sendToGroup } from '#tests/conversations.ts'
import { dialectsInTurn, type TestApp } from '#tests/harness.ts'
import { compare } from '../compare.ts'
import { kinds } from '../sources.ts'
import * as upkeep from '../upkeep.ts'
import { names, post, reply, startScene } from './search-scene.ts'

/** Such as `post 3`, for what the index has wrongly. */
async function differences({ db, folder }: TestApp) {
  if (isPostgres(db)) return toNames(await postgresSnapshot(db, compare))
  const snapshot = openSnapshot(join(folder, 'engawa.db'))
  const found = await compare(snapshot.db)
  await snapshot.close()
  return toNames(found)
}
const toNames = (found: Awaited<ReturnType<typeof compare>>) => found.map(({ kind, id }) => `${kind} ${id}`)

/** As another program, without the app. */
const change = (db: Db, statement: string) => transaction(db, (tx) => sql.raw(statement).execute(tx))

describe.each(dialectsInTurn())('the search index on %s', (dialect) => {
  test('follows edits, deletions, descriptions, choices and link cards in their transactions', async () => {
    const app = await startScene(dialect)
    const { Admin, Ann, Ben, db } = app
    const group = await createGroup(Admin, 'Club', Ann, Ben)
    const extras = { poll: { kind: 'choice', options: ['umbrella', 'boots'], options_from: 'all' } }
    const id = await post(Ann, 'rain', { extras })
    const answer = await reply(Ben, id, 'rain')
    const { id: message } = await sendToGroup(Ben, group, 'rain')
    expect(await names(Ann, 'rain')).toHaveLength(3)
    await Ann.put(`/api/posts/${id}`, { text: 'snow' })
    await Ben.put(`/api/replies/${answer}`, { text: 'snow' })
    await Ben.put(`/api/chat-messages/${message}`, { message: 'snow' })
    expect([await names(Ann, 'rain'), (await names(Ann, 'snow')).length]).toEqual([[], 3])
    expect(await names(Ben, 'umbrella')).toEqual([`post ${id}`])
    const { posts } = (await Ben.get(`/api/polls?posts=${id}`)).body
    await Ben.post(`/api/polls/${posts[id].id}/options`, { text: 'a sledge' })
    expect(await names(Ann, 'sledge')).toEqual([`post ${id}`])
    await change(
      db,
      `insert into link_previews (post_id, user_id, url, title, created_at)
      values (${id}, ${Ann.id}, 'https://a.example', 'Weather of today', '2026-01-01T00:00:00.000Z')`,
    )
    expect(await names(Ann, 'weather has:link')).toEqual([`post ${id}`])
    await change(db, `update link_previews set title = null, removed_at = '2026-01-01T00:00:00.000Z'`)
    expect(await names(Ann, 'weather')).toEqual([])
    expect(await differences(app)).toEqual([])
    await Ben.delete(`/api/chat-messages/${message}`)
    await Ben.delete(`/api/replies/${answer}`)
    expect(await names(Ann, 'snow')).toEqual([`post ${id}`])
    await Ann.delete(`/api/posts/${id}`)
    expect(await names(Ann, 'snow')).toEqual([])
    expect(await differences(app)).toEqual([])
  })

  test('is brought up to date with what other programs have changed, and built again', async () => {
    const app = await startScene(dialect)
    const { Ann, db } = app
    const ids: number[] = []
    for (let index = 0; index < 5; index++) ids.unshift(await post(Ann, `rain ${index}`))
    await change(db, 'delete from search_marks')
    expect(await differences(app)).toEqual([])
    // The statement has a form that the app does not look into, as if another program had sent it.
    await change(db, `with own as (select 1) update posts set body = 'snow' where id = ${ids[0]}`)
    await change(
      db,
      isPostgres(db) ? 'truncate search_posts' : `delete from search_posts_recent where rowid = ${ids[1]}`,
    )
    expect(await differences(app)).toContain(`post ${ids[1]}`)
    await upkeep.empty(db)
    expect((await upkeep.progress(db)).isComplete).toBe(false)
    expect(await names(Ann, 'rain')).toEqual([])
    for (const kind of kinds) while (await upkeep.fillBatch(db, kind));
    expect(await upkeep.progress(db)).toEqual({ share: 1, isComplete: true })
    expect(await names(Ann, 'snow')).toEqual([`post ${ids[0]}`])
    expect(await names(Ann, 'rain')).toHaveLength(4)
    expect(await differences(app)).toEqual([])
  })

  test('follows a change of a text whose first mark is still waiting', async () => {
    const app = await startScene(dialect)
    const { Ann, db } = app
    const rows = Array.from(
      { length: 1600 },
      (_, index) => `(${Ann.id}, 'rain ${index}', '2026-01-01T00:00:00.000Z', 'everyone')`,
    )
    await change(db, `insert into posts (user_id, body, created_at, audience) values ${rows.join(', ')}`)
    const { id } = await db.selectFrom('posts').select('id').orderBy('id').executeTakeFirstOrThrow()
    await Ann.put(`/api/posts/${id}`, { text: 'snow' })
    await change(
      db,
      `insert into link_previews (post_id, user_id, url, title, created_at)
      values (${id}, ${Ann.id}, 'https://a.example', 'Weather of today', '2026-01-01T00:00:00.000Z')`,
    )
    for (let index = 0; index < 3; index++) await post(Ann, `rain again ${index}`)
    await upkeep.lookAfter(db)
    expect(await names(Ann, 'snow weather has:link')).toEqual([`post ${id}`])
    expect(await differences(app)).toEqual([])
  })

  test('has nothing of a transaction that was rolled back', async () => {
    const app = await startScene(dialect)
    const { Ann, db } = app
    const id = await post(Ann, 'rain')
    const failing = transaction(db, async (tx) => {
      await sql`update posts set body = 'snow' where id = ${id}`.execute(tx)
      throw new Error('undo')
    })
    await expect(failing).rejects.toThrow('undo')
    expect([await names(Ann, 'rain'), await names(Ann, 'snow')]).toEqual([[`post ${id}`], []])
    expect(await differences(app)).toEqual([])
  })

  test('finds texts of before the index, the newest first', async () => {
    const { Ann, db } = await startScene(dialect)
    const rows = Array.from(
      { length: 450 },
      (_, index) => `(${Ann.id}, 'rain ${index}', '2026-01-01T00:00:00.000Z', 'everyone')`,
    )
    await change(db, `insert into posts (user_id, body, created_at, audience) values ${rows.join(', ')}`)
    await upkeep.empty(db)
    await upkeep.fillBatch(db, 'post')
    const { share, isComplete } = await upkeep.progress(db)
    expect([share > 0.3 && share < 0.6, isComplete]).toEqual([true, false])
    expect(await names(Ann, '449')).toHaveLength(1)
    expect(await names(Ann, '"rain 1"')).toHaveLength(0)
    await upkeep.lookAfter(db)
    expect(await names(Ann, '"rain 1"')).toHaveLength(1)
  })
})

test('the file of the database has no word of a deleted text after a minute', async () => {
  const { Admin, Ann, Ben, Cleo, db, folder } = await startScene('sqlite')
  const group = await createGroup(Admin, 'Club', Ann, Ben)
  const words = ['gone0xylophone', 'gone1xylophone', 'gone2xylophone', 'gone3xylophone', '秘密', '密箱']
  const inFiles = async () => {
    const files = (await readdir(folder)).filter((name) => name.startsWith('engawa.db'))
    const bytes = await Promise.all(files.map((name) => readFile(join(folder, name))))
    return words.filter((word) => bytes.some((one) => one.includes(word)))
  }
  for (let index = 0; index < 50; index++) await post(Ann, `gone${index % 2}xylophone ${index} gold`)
  const first = await post(Ann, 'gone2xylophone 秘密箱')
  const { id } = await sendToGroup(Ben, group, 'gone3xylophone')
  expect(await inFiles()).toEqual(words)
  await Ann.put(`/api/posts/${first}`, { text: 'harmless' })
  await Ben.delete(`/api/chat-messages/${id}`)
  for (const { id } of (await Ann.get(`/api/users/${Ann.id}/posts?limit=100`)).body)
    if (id !== first) await Ann.delete(`/api/posts/${id}`)
  await change(db, 'delete from post_versions')
  // As if the process had been killed in the middle.
  await upkeep.purgeAll(db, AbortSignal.abort())
  const states = await db.selectFrom('search_states').select('recent_stale_since').execute()
  expect(states.map((state) => state.recent_stale_since)).toContain('purging')
  await upkeep.lookAfter(db)
  expect(await inFiles()).toEqual([])
  expect(await names(Cleo, 'harmless')).toHaveLength(1)
})

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { allMigrations } from '#app.ts'
import type { Tx } from '#core/database/database.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { MAX_TAG_LENGTH, MAX_TAGS } from '#features/people/text-parts-contract.ts'
import { createGroup } from '#tests/conversations.ts'
import { openConnections } from '#tests/databases.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { countRowsRead, planReaders, recordSelects } from '#tests/query-plans.ts'

async function startTagTestApp(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  return { ...app, ...(await app.members('Admin', 'Ann', 'Ben', 'Cleo')), stranger: app.visitor() }
}

async function succeed(answer: ReturnType<TestClient['post']>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(2000)
  return body
}
const post = async (author: TestClient, text: string, more: object = {}): Promise<number> =>
  (await succeed(author.post('/api/posts', { text, ...more }))).post.id
const listIds = async (who: TestClient, tag: string, query = ''): Promise<number[]> =>
  (await succeed(who.get(`/api/tags/${encodeURIComponent(tag)}/posts${query}`))).map(
    ({ id }: { id: number }) => id,
  )

describe.each(dialectsInTurn())('tags on %s', (dialect) => {
  test('list posts in any spelling, newest first, in pages', async () => {
    const { Ann, Ben, stranger } = await startTagTestApp(dialect)
    const first = await post(Ann, 'Roses #Garden ＃花見')
    const second = await post(Ben, '#ｇａｒｄｅｎ and #garden')
    await post(Ben, 'garden, a#garden, https://a.example/#garden')
    for (const who of [Ann, stranger])
      for (const tag of ['garden', '#GARDEN', 'Ｇarden'])
        expect(await listIds(who, tag)).toEqual([second, first])
    expect(await listIds(Ann, '花見')).toEqual([first])
    const { body, headers } = await Ann.get('/api/tags/%E8%8A%B1%E8%A6%8B/posts?limit=1')
    expect([body.length, headers.link]).toEqual([1, undefined])
    expect(await listIds(Ann, 'garden', '?limit=1')).toEqual([second])
    expect(await listIds(Ann, 'garden', `?limit=1&before=${second}`)).toEqual([first])
    for (const tag of ['nothing', '12', 'a b', '%']) expect(await listIds(Ann, tag)).toEqual([])
    expect((await Ann.get(`/api/tags/${'x'.repeat(60)}/posts`)).status).toBe(422)
  })

  test('are stored up to a number for each post and up to a length', async () => {
    const { Ann, db } = await startTagTestApp(dialect)
    const longest = 'x'.repeat(MAX_TAG_LENGTH)
    const first = await post(Ann, `#${longest} #${longest}y`)
    expect(await listIds(Ann, longest)).toEqual([first])
    const words = Array.from({ length: MAX_TAGS + 1 }, (_, index) => `t${index}`)
    const second = await post(Ann, [...words, ...words].map((word) => `#${word}`).join(' '))
    expect((await readRows(db, 'post_tags')).map(({ post_id, tag }) => [post_id, tag])).toEqual([
      [first, longest],
      ...words.slice(0, MAX_TAGS).map((word) => [second, word]),
    ])
  })

  test('follow edits and the deletion of the post or of its author', async () => {
    const { context, Ann, db } = await startTagTestApp(dialect)
    const id = await post(Ann, '#one #two')
    await succeed(Ann.put(`/api/posts/${id}`, { text: '#two #three' }))
    expect(await listIds(Ann, 'one')).toEqual([])
    for (const tag of ['two', 'three']) expect(await listIds(Ann, tag)).toEqual([id])
    await succeed(Ann.put(`/api/posts/${id}`, { text: 'none' }))
    expect(await readRows(db, 'post_tags')).toEqual([])
    await succeed(Ann.put(`/api/posts/${id}`, { text: '#four' }))
    await succeed(Ann.delete(`/api/posts/${id}`))
    expect(await readRows(db, 'post_tags')).toEqual([])
    await post(Ann, '#five')
    await transaction(db, (tx) =>
      deleteMember(context, tx, { id: Ann.id, keep_messages: true }).then(() => undefined),
    )
    expect(await readRows(db, 'post_tags')).toEqual([])
  })

  test('list only posts that the viewer may see', async () => {
    const { Admin, Ann, Ben, Cleo, stranger } = await startTagTestApp(dialect)
    const club = await createGroup(Admin, 'Club', Ann, Ben)
    const open = await post(Ann, '#tag')
    const members = await post(Ann, '#tag', { audience: 'members' })
    const followers = await post(Ann, '#tag', { audience: 'followers' })
    const group = await post(Ann, '#tag', { audience: 'group', group_id: club })
    expect(await listIds(stranger, 'tag')).toEqual([open])
    expect(await listIds(Cleo, 'tag')).toEqual([members, open])
    expect(await listIds(Ben, 'tag')).toEqual([group, members, open])
    await succeed(Cleo.post(`/api/follow/${Ann.id}`))
    expect(await listIds(Cleo, 'tag')).toEqual([followers, members, open])
    expect(await listIds(Ann, 'tag')).toEqual([group, followers, members, open])
    await succeed(Ben.post(`/api/groups/${club}/leave`))
    expect(await listIds(Ben, 'tag')).toEqual([members, open])
    await succeed(Admin.send('PATCH', '/api/admin/settings', { who_can_read: 'members' }))
    expect((await stranger.get('/api/tags/tag/posts')).status).toBe(401)
  })

  test('leave out posts of blocked and muted people', async () => {
    const { Ann, Ben, Cleo } = await startTagTestApp(dialect)
    const anns = await post(Ann, '#tag')
    const cleos = await post(Cleo, '#tag')
    await succeed(Ben.post(`/api/users/${Ann.id}/mute`))
    expect(await listIds(Ben, 'tag')).toEqual([cleos])
    await succeed(Ben.delete(`/api/users/${Ann.id}/mute`))
    await succeed(Ann.post(`/api/users/${Cleo.id}/block`))
    expect(await listIds(Ben, 'tag')).toEqual([cleos, anns])
    expect(await listIds(Ann, 'tag')).toEqual([anns])
    expect(await listIds(Cleo, 'tag')).toEqual([cleos])
  })

  test('list a post that a moderator has hidden only for its author, until it is restored', async () => {
    const { Admin, Ann, Ben, Cleo } = await startTagTestApp(dialect)
    const id = await post(Ann, '#tag')
    await succeed(Cleo.post('/api/reports', { kind: 'post', id, reason: 'spam' }))
    const [{ id: report }] = (await Admin.get('/api/moderation/cases')).body
    const decide = (action: string) =>
      succeed(Admin.post(`/api/moderation/cases/${report}/decisions`, { action, note: 'x' }))
    await decide('hide')
    for (const who of [Admin, Ben]) expect(await listIds(who, 'tag')).toEqual([])
    expect(await listIds(Ann, 'tag')).toEqual([id])
    await decide('restore')
    expect(await listIds(Ben, 'tag')).toEqual([id])
  })

  test('find their posts by an index, in the order of the list, without reading all of them', async () => {
    const { Ann, Ben, db } = await startTagTestApp(dialect)
    const rare = await post(Ann, '#rare #often')
    await transaction(db, async (tx) => {
      await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
        insert into posts (user_id, created_at) select ${Ann.id}, '2026-01-01T00:00:00.000Z' from n`.execute(
        tx,
      )
      await sql`insert into post_tags (tag, post_id)
        select case when id % 10 = 0 then 'often' else 'other' end, id from posts where id > ${rare}`.execute(
        tx,
      )
    })
    if (dialect === 'postgres') await sql`analyze`.execute(db)
    for (const tag of ['rare', 'often']) {
      const [query] = await recordSelects(db, /post_tags/, () => Ben.get(`/api/tags/${tag}/posts`))
      const plan = (await planReaders[dialect](db, query!)).join('\n')
      expect(plan).toMatch(
        dialect === 'sqlite' ? /SEARCH post_tags USING COVERING INDEX \S+ \(tag=\?\)/ : /post_tags_pkey/,
      )
      expect(plan).not.toMatch(/TEMP B-TREE FOR ORDER BY|SCAN p\b|Seq Scan/)
      if (dialect === 'postgres') expect(await countRowsRead(db, query!)).toBeLessThan(2000)
    }
    expect(await listIds(Ben, 'rare')).toEqual([rare])
  })
})

describe.each(dialectsInTurn())('the tags of older posts on %s', (dialect) => {
  async function migrateBefore(name: string, insert: (tx: Tx) => Promise<void>) {
    const [{ db } = expect.unreachable()] = await openConnections(dialect)
    const earlier = allMigrations.map((list) =>
      Object.fromEntries(Object.entries(list).filter(([one]) => !/^tags/.test(one) || one < name)),
    )
    await runMigrations(db, earlier)
    await transaction(db, async (tx) => {
      await sql`insert into users (id, name, name_key, email, email_key, password_hash, created_at, handle,
        name_skeleton) values (1, 'Ann', 'ann', 'a', 'a', 'x', 'x', 'ann', 'ann')`.execute(tx)
      await insert(tx)
    })
    await runMigrations(db, allMigrations)
    return readRows(db, 'post_tags')
  }

  test('are found when tags begin to exist', async () => {
    const rows = await migrateBefore('tags 1', async (tx) => {
      await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1200)
        insert into posts (id, user_id, body, created_at)
        select i, 1, case when i = 600 then null else '#all #all ＃Ｎ' || i end, 'x' from n`.execute(tx)
    })
    expect(rows.filter(({ tag }) => tag === 'all')).toHaveLength(1199)
    expect(rows.filter(({ post_id }) => post_id === 1001)).toEqual([
      { tag: 'all', post_id: 1001 },
      { tag: 'n1001', post_id: 1001 },
    ])
  })

  test('are found anew when texts are read in another way', async () => {
    const rows = await migrateBefore('tags 2', async (tx) => {
      await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1200)
        insert into posts (id, user_id, body, created_at) select i, 1, '#all #スター・ウォーズ', 'x' from n`.execute(
        tx,
      )
      await sql`insert into post_tags (post_id, tag) select id, 'スター' from posts`.execute(tx)
      await sql`insert into post_tags (post_id, tag) select id, 'all' from posts`.execute(tx)
    })
    expect(rows.filter(({ tag }) => tag === 'スター')).toEqual([])
    for (const found of ['all', 'スター・ウォーズ'])
      expect(rows.filter(({ tag }) => tag === found)).toHaveLength(1200)
  })
})

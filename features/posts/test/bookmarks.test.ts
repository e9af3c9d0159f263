import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { planReaders, recordSelects } from '#tests/query-plans.ts'
import { messagesArrived } from '#tests/sockets.ts'
import type { Post } from '../contract.ts'
import { audienceScene, postFor, watchPosts } from './audience-scene.ts'

const bookmark = (who: TestClient, id: number) => who.put(`/api/posts/${id}/bookmark`)
const listIds = async (who: TestClient, query = '') =>
  (await who.get(`/api/bookmarks${query}`)).body.map(({ id }: Post) => id)

describe.each(dialectsInTurn())('bookmarks on %s', (dialect) => {
  test('are listed by the time of the bookmark, in pages, and only for the member', async () => {
    const { Ann, Ben, Cleo } = await audienceScene(dialect)
    const posts = [await postFor(Ann), await postFor(Ann), await postFor(Ann)].map(({ id }) => id)
    const [first, second, third] = posts as [number, number, number]
    for (const id of [second, third, first, second])
      expect((await bookmark(Ben, id)).body).toEqual({ bookmarked: true })
    expect(await listIds(Ben)).toEqual([first, third, second])
    const page = await Ben.get('/api/bookmarks?limit=2')
    expect(page.body).toMatchObject([{ id: first, bookmarked_by_me: true }, { id: third }])
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))![1]!
    expect((await Ben.get(next)).body).toMatchObject([{ id: second }])
    for (const who of [Ann, Cleo]) expect(await listIds(who)).toEqual([])
    expect((await Ben.delete(`/api/posts/${third}/bookmark`)).body).toEqual({ bookmarked: false })
    expect((await Ben.delete(`/api/posts/${third}/bookmark`)).body).toEqual({ bookmarked: false })
    expect(await listIds(Ben)).toEqual([first, second])
  })

  test('are marked in lists and in the post, for the member alone', async () => {
    const { Ann, Ben, stranger } = await audienceScene(dialect)
    const { id } = await postFor(Ann)
    const read = async (who: TestClient) => [
      (await who.get('/api/posts')).body[0].bookmarked_by_me,
      (await who.get(`/api/posts/${id}`)).body.bookmarked_by_me,
    ]
    expect(await read(Ben)).toEqual([false, false])
    await bookmark(Ben, id)
    expect(await read(Ben)).toEqual([true, true])
    for (const who of [Ann, stranger]) expect(await read(who)).toEqual([false, false])
    await Ben.delete(`/api/posts/${id}/bookmark`)
    expect(await read(Ben)).toEqual([false, false])
  })

  test('of posts that the member no longer sees are left out, and can be removed', async () => {
    const { Ann, Ben, db } = await audienceScene(dialect)
    const [open, secret] = [await postFor(Ann), await postFor(Ann, 'followers')]
    for (const { id } of [open, secret]) await bookmark(Ben, id)
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    expect(await listIds(Ben)).toEqual([open.id])
    await Ben.post(`/api/follow/${Ann.id}`)
    expect(await listIds(Ben)).toEqual([secret.id, open.id])
    await Ann.post(`/api/users/${Ben.id}/block`)
    expect(await listIds(Ben)).toEqual([])
    expect((await Ben.delete(`/api/posts/${secret.id}/bookmark`)).status).toBe(200)
    expect(await readRows(db, 'bookmarks')).toMatchObject([{ post_id: open.id }])
    await Ann.delete(`/api/posts/${open.id}`)
    expect(await readRows(db, 'bookmarks')).toEqual([])
  })

  test('of people whom the member has muted are listed', async () => {
    const { Ann, Ben } = await audienceScene(dialect)
    const { id } = await postFor(Ann)
    await bookmark(Ben, id)
    await Ben.post(`/api/users/${Ann.id}/mute`)
    expect(await listIds(Ben)).toEqual([id])
  })

  test('are refused to strangers, and for posts that the member may not see', async () => {
    const { Ann, Cleo, stranger, db } = await audienceScene(dialect)
    const { id } = await postFor(Ann, 'followers')
    await stranger.get('/sanctum/csrf-cookie')
    for (const answer of [await bookmark(stranger, id), await stranger.get('/api/bookmarks')])
      expect(answer.status).toBe(401)
    for (const missing of [id, id + 1]) {
      expect((await bookmark(Cleo, missing)).status).toBe(404)
      expect((await Cleo.delete(`/api/posts/${missing}/bookmark`)).body).toEqual({ bookmarked: false })
    }
    expect(await readRows(db, 'bookmarks')).toEqual([])
  })

  test('are live only in the other windows of the member', async () => {
    const scene = await audienceScene(dialect)
    const { Ann, Ben } = scene
    const { id } = await postFor(Ann)
    const [own, others, visitors] = [
      await watchPosts(scene, Ben),
      await watchPosts(scene, Ann),
      await watchPosts(scene, null),
    ]
    await bookmark(Ben, id)
    await bookmark(Ben, id)
    await Ben.delete(`/api/posts/${id}/bookmark`)
    const events = [await own.nextMessage('PostBookmarked'), await own.nextMessage('PostBookmarked')]
    expect(events.map(({ data }) => data)).toEqual([
      { id, bookmarked: true },
      { id, bookmarked: false },
    ])
    await messagesArrived(own, others, visitors)
    for (const client of [own, others, visitors]) expect(client.received('PostBookmarked')).toEqual([])
  })

  test('are deleted with the account', async () => {
    const { Ann, Ben, context, db } = await audienceScene(dialect)
    await bookmark(Ben, (await postFor(Ann)).id)
    await transaction(db, (tx) =>
      deleteMember(context, tx, { id: Ben.id, keep_messages: true }).then(() => undefined),
    )
    expect(await readRows(db, 'bookmarks')).toEqual([])
  })

  test('are found by their index', async () => {
    const { Ann, Ben, db } = await audienceScene(dialect)
    const { id } = await postFor(Ann)
    await bookmark(Ben, id)
    await transaction(db, (tx) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 500)
        insert into posts (user_id, created_at) select ${Ann.id}, 'x' from n`.execute(tx),
    )
    if (dialect === 'postgres') await sql`analyze`.execute(db)
    const [query] = await recordSelects(db, /order by b\.id/, () => Ben.get('/api/bookmarks'))
    const plan = (await planReaders[dialect](db, query!)).join('\n')
    expect(plan).toContain('bookmarks_user')
    expect(plan).not.toMatch(/SCAN p\b|Seq Scan on posts/)
  })
})

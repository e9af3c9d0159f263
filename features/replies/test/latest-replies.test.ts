import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createGroup } from '#tests/conversations.ts'
import { dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { countRowsRead, planReaders, recordSelects } from '#tests/query-plans.ts'
import type { LatestReply } from '../contract.ts'
import { newPost, newReply, replyScene } from './reply-scene.ts'

const pathOf = (posts: readonly unknown[]) => `/api/latest-replies?posts=${posts.join()}`

/** Requests the latest replies to posts as `reader`, and returns their excerpts by the id of the post. */
async function readExcerpts(reader: TestClient, ...posts: unknown[]) {
  const { status, body } = await reader.get(pathOf(posts))
  expect(status, JSON.stringify(body)).toBe(200)
  const rows = Object.entries<LatestReply[]>(body.posts)
  return Object.fromEntries(rows.map(([post, replies]) => [post, replies.map(({ excerpt }) => excerpt)]))
}

describe.each(dialectsInTurn())('the latest replies to posts on %s', (dialect) => {
  const open = () => replyScene(dialect)

  test('are the two newest ones of each post', async () => {
    const { Ann, Ben, stranger } = await open()
    const [none, one, many] = [await newPost(Ann), await newPost(Ann), await newPost(Ann)]
    await newReply(Ben, one, 'Only one')
    for (const text of ['first', 'second', 'third']) await newReply(Ben, many, text)
    for (const who of [Ann, stranger])
      expect(await readExcerpts(who, none, one, many, one)).toEqual({
        [one]: ['Only one'],
        [many]: ['third', 'second'],
      })
    expect(await readExcerpts(Ann)).toEqual({})
  })

  test('have the author, the answered person, and the number of pictures', async () => {
    const { Ann, Ben, Cleo, Dan } = await open()
    const post = await newPost(Ann)
    const bens = await newReply(Ben, post, 'Look', { alt: 'colours' })
    const { id, created_at, user } = await newReply(Cleo, post, '', {
      alt: '',
      answers_id: String(bens.id),
    })
    const read = async (who: TestClient) => (await who.get(pathOf([post]))).body.posts[post]
    expect(await read(Ann)).toEqual([
      { id, created_at, user, excerpt: null, images_count: 1, mentions: bens.user },
      { id: bens.id, created_at: bens.created_at, user: bens.user, excerpt: 'Look', images_count: 1 },
    ])
    await Dan.post(`/api/users/${Ben.id}/block`)
    expect(await read(Dan)).toEqual([{ id, created_at, user, excerpt: null, images_count: 1 }])
  })

  test('have the beginning of a long text, without half a character or half a link', async () => {
    const { Ann } = await open()
    const post = await newPost(Ann)
    await newReply(Ann, post, '🌱'.repeat(301))
    await newReply(Ann, post, `${'a '.repeat(145)}https://example.com/a-page`)
    expect(await readExcerpts(Ann, post)).toEqual({
      [post]: [`${'a '.repeat(145).trim()}…`, `${'🌱'.repeat(300)}…`],
    })
  })

  test('leave out people who are blocked or muted, and show older replies instead', async () => {
    const { Ann, Ben, Cleo, Dan } = await open()
    const post = await newPost(Ann)
    await newReply(Ann, post, 'Oldest of Ann')
    await newReply(Cleo, post, 'Of Cleo')
    for (const text of ['Of Ben', 'Another of Ben']) await newReply(Ben, post, text)
    await Cleo.post(`/api/users/${Ben.id}/block`)
    await Dan.post(`/api/users/${Ben.id}/mute`)
    for (const who of [Cleo, Dan])
      expect(await readExcerpts(who, post)).toEqual({ [post]: ['Of Cleo', 'Oldest of Ann'] })
    // Ben does not get the replies of Cleo either, because she has blocked him.
    await Ben.delete(`/api/replies/${(await newReply(Ben, post, 'Gone')).id}`)
    expect(await readExcerpts(Ben, post)).toEqual({ [post]: ['Another of Ben', 'Of Ben'] })
    await Ann.post(`/api/users/${Cleo.id}/block`)
    expect(await readExcerpts(Cleo, post)).toEqual({})
    await Cleo.delete(`/api/users/${Ben.id}/block`)
    expect(await readExcerpts(Cleo, await newPost(Ben), post)).toEqual({})
  })

  test('follow the audience of the post', async () => {
    const { Admin, Ann, Ben, Cleo, stranger } = await open()
    const club = await createGroup(Admin, 'Club', Ann, Ben)
    const audiences = [{ audience: 'followers' }, { audience: 'group', group_id: club }]
    const [forFollowers, forClub] = [await newPost(Ann, audiences[0]), await newPost(Ann, audiences[1])]
    const forMembers = await newPost(Ann, { audience: 'members' })
    const posts = [forFollowers, forClub, forMembers]
    for (const post of posts) await newReply(Ann, post, 'For some')
    const found = (...ids: number[]) => Object.fromEntries(ids.map((id) => [id, ['For some']]))
    expect(await readExcerpts(Ben, ...posts)).toEqual(found(...posts))
    expect(await readExcerpts(Admin, ...posts)).toEqual(found(forClub, forMembers))
    expect(await readExcerpts(Cleo, ...posts)).toEqual(found(forMembers))
    expect(await readExcerpts(stranger, ...posts)).toEqual({})
  })

  test('are hidden with their post, and are not for strangers to a community for members', async () => {
    const { Admin, Ann, Ben, Cleo, stranger } = await open()
    const post = await newPost(Ann)
    await newReply(Ben, post, 'Hi')
    await Cleo.post('/api/reports', { kind: 'post', id: post, reason: 'spam' })
    const [{ id }] = (await Admin.get('/api/moderation/cases')).body
    await Admin.post(`/api/moderation/cases/${id}/decisions`, { action: 'hide', note: 'x' })
    for (const who of [Ben, Cleo, stranger]) expect(await readExcerpts(who, post)).toEqual({})
    expect(await readExcerpts(Ann, post)).toEqual({ [post]: ['Hi'] })
    await Admin.send('PATCH', '/api/admin/settings', { who_can_read: 'members' })
    expect((await stranger.get(pathOf([post]))).status).toBe(401)
    expect(await readExcerpts(Ann, post)).toEqual({ [post]: ['Hi'] })
  })

  test('need valid ids of at most 100 posts; unknown ones are left out', async () => {
    const { Ann } = await open()
    const post = await newPost(Ann)
    await newReply(Ann, post, 'Hi')
    const hundred = [post, ...Array.from({ length: 99 }, (_, index) => 1000 + index)]
    expect(await readExcerpts(Ann, ...hundred)).toEqual({ [post]: ['Hi'] })
    expect((await Ann.get(pathOf([...hundred, 2000]))).status).toBe(422)
    for (const wrong of ['x', '0', '-1', '1.5', '9'.repeat(1700)])
      expect((await Ann.get(pathOf([wrong]))).status).toBe(422)
  })

  test('come with the HTML of a list of posts', async () => {
    const { Ann, Ben, stranger } = await open()
    const post = await newPost(Ann)
    const readHtml = async (who: TestClient, path: string) => (await who.get(path)).raw.toString()
    expect(await readHtml(stranger, '/')).not.toContain('/api/latest-replies')
    await newReply(Ben, post, 'In the page')
    for (const path of ['/', `/people/${Ann.id}`])
      expect(await readHtml(Ann, path)).toContain('"excerpt":"In the page"')
    expect(await readHtml(stranger, '/')).toContain('"excerpt":"In the page"')
    expect(await readHtml(Ann, `/posts/${post}`)).not.toContain('"excerpt"')
  })

  test('are found with indexes, in one query for all posts', async () => {
    const { Ann, Ben, db } = await open()
    await Ann.post(`/api/users/${Ben.id}/mute`)
    const posts: number[] = []
    for (let n = 0; n < 20; n++) posts.push(await newPost(Ann))
    await transaction(db, (tx) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
        insert into replies (post_id, post_user_id, user_id, body, created_at)
        select p.id, p.user_id, p.user_id, 'x', p.created_at from posts p, n`.execute(tx),
    )
    if (dialect === 'postgres') await sql`analyze`.execute(db)
    const queries = await recordSelects(db, /\breplies\b/, () => Ann.get(pathOf(posts)))
    expect(queries).toHaveLength(1)
    const plan = (await planReaders[dialect](db, queries[0]!)).join('\n')
    expect(plan).toMatch(
      dialect === 'sqlite' ? /SEARCH x USING INDEX replies_post \(post_id=\?\)/ : /replies_post\b/,
    )
    expect(plan).not.toMatch(/SCAN (?:r|x|users|visible_post)\b|Seq Scan|TEMP B-TREE FOR ORDER BY/)
    if (dialect === 'postgres') expect(await countRowsRead(db, queries[0]!)).toBeLessThan(1500)
  })
})

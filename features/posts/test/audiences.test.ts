import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createGroup } from '#tests/conversations.ts'
import { databases, readRows } from '#tests/harness.ts'
import { type Actor, audienceScene, isFeedUrl, postFor, urlsOfPost, urlsThatShow } from './audience-scene.ts'

describe.each(databases)('the audience of a post on %s', (dialect) => {
  test('is everyone if the client names none', async () => {
    const { Ann, stranger } = await audienceScene(dialect)
    const post = await postFor(Ann)
    expect(post).not.toHaveProperty('audience')
    expect((await stranger.get('/api/posts')).body).toEqual([post])
    expect((await stranger.get(post.images[0]!.path)).headers['cache-control']).toMatch('public')
    for (const audience of ['nobody', '', 'Followers'])
      expect((await Ann.post('/api/posts', { text: 'x', audience })).status, audience).toBe(422)
  })

  test.each([
    { audience: 'members', readers: ['Ann', 'Ben', 'Cleo', 'Admin'] },
    { audience: 'followers', readers: ['Ann', 'Ben'] },
  ] as const)('$audience: the post is readable for $readers, and nowhere for others', async (row) => {
    const scene = await audienceScene(dialect)
    const { Ann, Ben } = scene
    await postFor(Ben)
    const post = await postFor(Ann, row.audience)
    expect(post.audience).toBe(row.audience)
    for (const name of ['Ann', 'Ben', 'Cleo', 'Admin', 'stranger'] as const) {
      const mayRead = row.readers.some((reader) => reader === name)
      const expected = urlsOfPost(post).filter((address) => !isFeedUrl(address) || name === 'Ben')
      expect(await urlsThatShow(scene[name], post), name).toEqual(mayRead ? expected : [])
    }
  })

  test('decides about likes, reports and deletion, with the 404 of a post that does not exist', async () => {
    const { Admin, Ann, Ben, Cleo } = await audienceScene(dialect)
    const { id } = await postFor(Ann, 'followers')
    const calls = (post: number) =>
      [
        ['GET', `/api/posts/${post}`],
        ['GET', `/api/posts/${post}/likes`],
        ...(['PUT', 'POST', 'DELETE'] as const).map((method) => [method, `/api/posts/${post}/like`] as const),
        ['DELETE', `/api/posts/${post}`],
        ['POST', '/api/reports', { kind: 'post', id: post, reason: 'other' }],
      ] as const
    const answer = async (who: Actor, [method, path, body]: ReturnType<typeof calls>[number]) => {
      const { status, body: answered } = await who.send(method, path, body)
      return { status, answered }
    }
    for (const who of [Cleo, Admin]) {
      for (const [index, call] of calls(id).entries()) {
        const refusal = await answer(who, call)
        expect(refusal.status, call.join(' ')).toBe(404)
        expect(refusal).toEqual(await answer(who, calls(999_999)[index]!))
      }
    }
    expect((await Ben.put(`/api/posts/${id}/like`)).body).toEqual({ liked: true, likes_count: 1 })
    expect((await Ben.delete(`/api/posts/${id}`)).status).toBe(403)
    expect((await Ben.post('/api/reports', { kind: 'post', id, reason: 'other' })).status).toBe(201)
    expect((await Ann.delete(`/api/posts/${id}`)).status).toBe(200)
  })

  test('follows each change of a follow at once, in counts and cached lists too', async () => {
    const { Ann, Ben, Cleo, stranger } = await audienceScene(dialect)
    const post = await postFor(Ann, 'followers')
    await postFor(Ann, 'members')
    const count = async (who: Actor) => (await who.get(`/api/users/${Ann.id}`)).body.posts_count
    expect([await count(Ann), await count(Ben), await count(Cleo)]).toEqual([2, 2, 1])
    for (const who of [Ben, Cleo, stranger]) await who.get('/api/posts')
    await Cleo.post(`/api/follow/${Ann.id}`)
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    expect([await count(Ben), await count(Cleo)]).toEqual([1, 2])
    expect(await urlsThatShow(Ben, post)).toEqual([])
    expect(await urlsThatShow(Cleo, post)).toEqual(urlsOfPost(post))
    expect(await urlsThatShow(stranger, post)).toEqual([])
    await Ann.post(`/api/users/${Cleo.id}/block`)
    expect(await urlsThatShow(Cleo, post)).toEqual([])
  })

  test('is a group that the author is in, and follows each change of its members at once', async () => {
    const scene = await audienceScene(dialect)
    const { Admin, Ann, Ben, Cleo, stranger } = scene
    const group = await createGroup(Admin, 'Garden', Ann, Ben)
    for (const who of [Ann, Ben, Cleo])
      expect((await who.get('/api/post-audiences')).body).toEqual(
        who === Cleo ? [] : [{ id: group, name: 'Garden' }],
      )
    for (const group_id of [group, 999_999, undefined])
      expect((await Cleo.post('/api/posts', { text: 'x', audience: 'group', group_id })).status).toBe(422)
    await postFor(Ann)
    const post = await postFor(Ann, 'group', '', group)
    expect(post).toMatchObject({ audience: 'group', group_id: group })
    const readers = async () => {
      const found = await Promise.all(
        [Admin, Ann, Ben, Cleo, stranger].map(async (who) => [
          await urlsThatShow(who, post),
          who === stranger ? 1 : (await who.get(`/api/users/${Ann.id}`)).body.posts_count,
        ]),
      )
      const all = urlsOfPost(post)
      const expected = all.filter((address) => !isFeedUrl(address))
      return found.map(([addresses, count]) => {
        if (!addresses.length) return count
        expect([all, expected]).toContainEqual(addresses)
        return count
      })
    }
    expect(await readers()).toEqual([2, 2, 2, 1, 1])
    await Admin.post(`/api/groups/${group}/add-user`, { user_id: Cleo.id })
    await Admin.delete(`/api/groups/${group}/members/${Ben.id}`)
    expect(await readers()).toEqual([2, 2, 1, 2, 1])
    expect(await urlsThatShow(Ben, post)).toEqual([])
    expect((await Ben.put(`/api/posts/${post.id}/like`)).status).toBe(404)
    await Cleo.post(`/api/groups/${group}/leave`)
    expect(await urlsThatShow(Cleo, post)).toEqual([])
    await Admin.delete(`/api/groups/${group}`)
    expect(await readers()).toEqual([1, 2, 1, 1, 1])
  })

  test('that is a group does not fit a private chat', async () => {
    const { Ann, Ben, db } = await audienceScene(dialect)
    await Ann.post(`/api/follow/${Ben.id}`)
    await Ann.post('/api/send-private-message', { input: 'Hi', targetUserId: Ben.id })
    const [chat] = await readRows(db, 'conversations')
    const body = { text: 'x', audience: 'group', group_id: chat!.id }
    expect((await Ann.post('/api/posts', body)).status).toBe(422)
    expect((await Ann.get('/api/post-audiences')).body).toEqual([])
  })

  test('does not matter when the author repeats the request after leaving the group', async () => {
    const { Admin, Ann } = await audienceScene(dialect)
    const group = await createGroup(Admin, 'Club', Ann)
    const first = await postFor(Ann, 'group', 'a', group)
    expect((await Ann.post(`/api/groups/${group}/leave`)).status).toBe(200)
    expect(await postFor(Ann, 'group', 'a', group)).toMatchObject({ id: first.id })
    const another = { text: 'x', audience: 'group', group_id: group, client_id: 'b' }
    expect((await Ann.post('/api/posts', another)).status).toBe(422)
  })
})

/**
 * The names of the files that query the table `posts` without the SQL condition of the audience. The comments
 * say why each file does not need the condition.
 */
const filesWithoutCondition = [
  // announcements.ts reads only who wrote posts, or for which group, for their author.
  'announcements.ts',
  // edits.ts calls `posts.isVisible`, or reads only the viewer's own posts. member-deletion.ts deletes and
  // counts the posts of one member.
  'edits.ts',
  'member-deletion.ts',
  // pins.ts checks with `posts.isVisible` whether the member may see the post.
  'pins.ts',
  // post-locks.ts locks posts. Its callers check the right of the member before, with `posts.isVisible` or as
  // the feature `moderation`.
  'post-locks.ts',
  // These files show no post to a viewer: they read posts for listeners, migrations, the search index and
  // counts, or remove old pictures.
  'read-for-listeners.ts',
  'replied-posts.ts',
  'retention.ts',
  'searched.ts',
  'statistics.ts',
  // The migration in tables.ts reads posts to store the owners of their pictures.
  'tables.ts',
]

test('every file that reads posts asks for the audience', () => {
  const folder = join(import.meta.dirname, '..')
  const readers = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
    .filter(({ text }) => /(from|join) posts\b|(selectFrom|Join)\('posts\b/.test(text))
  expect(readers.length).toBeGreaterThan(5)
  const forgetful = readers.filter(
    ({ name, text }) => name !== 'audiences.ts' && !/\baudiences\.shown\(/.test(text),
  )
  expect(forgetful.map(({ name }) => name)).toEqual(filesWithoutCondition)
})

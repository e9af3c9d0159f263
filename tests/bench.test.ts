import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookies, encode, load, once } from '#bench/client.ts'
import { type Community, openCommunity } from '#bench/community.ts'
import { pairs } from '#bench/rows.ts'
import type { GroupMessage, PrivateMessage } from '#features/conversations/message-schemas.ts'
import type { Post } from '#features/posts/contract.ts'
import { type RunningServer, serverFolder, startServer, stopServers } from './server.ts'

const size = {
  members: 30,
  occasional: 40,
  postedOnce: 60,
  neverPosted: 55,
  posts: 400,
  likes: 2000,
  messages: 300,
  follows: 5,
  notifications: 0,
}

describe('the community of the bench', () => {
  let community: Community
  let server: RunningServer
  let db: DatabaseSync
  let counts: unknown[]
  beforeAll(async () => {
    community = await openCommunity(size, await serverFolder())
    db = new DatabaseSync(community.file, { readOnly: true })
    counts = all(
      `select (select count(*) from posts) as posts, (select count(*) from likes) as likes, (select count(*) from messages) as messages`,
    )
    server = await startServer({ DATA_DIR: community.folder, RATE_LIMIT: 'off' })
  })
  afterAll(async () => {
    db.close()
    await stopServers()
  })

  const all = <Row>(query: string, ...values: (number | string)[]) =>
    db.prepare(query).all(...values) as Row[]
  async function get<T>(path: string, member?: number): Promise<T> {
    const { cookie } = await cookies(server.url, member)
    const answer = await fetch(`${server.url}${path}`, { headers: { cookie } })
    expect(answer.status).toBe(200)
    return (await answer.json()) as T
  }

  test('has the requested number of rows', () => {
    expect(counts).toEqual([{ posts: size.posts, likes: size.likes, messages: size.messages }])
    expect(all('pragma foreign_key_check')).toEqual([])
    expect(
      all('select name from sqlite_master where type = ? and name = ?', 'index', 'posts_author'),
    ).toHaveLength(1)
  })

  test('has the right number of likes for each post', async () => {
    const posts = await get<Post[]>('/api/posts?limit=100', 3)
    const likers = posts.map(({ id }) =>
      all<{ user_id: number }>('select user_id from likes where post_id = ?', id).map((row) => row.user_id),
    )
    expect(posts.map((post) => post.likes_count)).toEqual(likers.map((some) => some.length))
    expect(posts.map((post) => post.liked_by_me)).toEqual(likers.map((some) => some.includes(3)))
    expect(posts.some((post) => post.liked_by_me)).toBe(true)
    expect(
      all('select id from posts where likes_count != (select count(*) from likes where post_id = id)'),
    ).toEqual([])
  })

  test('has readers who follow 50 members of one kind, and see only their posts', async () => {
    expect(community.readers.map(({ kind, followed }) => `${followed} ${kind}`)).toEqual([
      '50 active',
      '50 silent',
      '50 never',
    ])
    for (const { id, followed, kind } of community.readers) {
      const them = new Set(
        all<{ followed_id: number }>('select followed_id from follows where follower_id = ?', id).map(
          (row) => row.followed_id,
        ),
      )
      expect(them.size).toBe(followed)
      const feed = await get<Post[]>('/api/posts/following', id)
      expect(feed).toHaveLength(kind === 'never' ? 0 : 50)
      expect(feed.filter(({ user }) => !them.has(user.id))).toEqual([])
      // A reader of the kind `silent` follows only silent members, so the feed of this reader must have the
      // oldest posts of the community.
      if (kind === 'silent')
        expect(Math.max(...feed.map((post) => post.id))).toBeLessThanOrEqual(size.postedOnce)
    }
  })

  test('has private and group chats that members can read, and members can send private messages', async () => {
    const [a, b] = pairs(size)[0]!
    const talk = await get<PrivateMessage[]>(`/api/messages/${b}`, a)
    expect(talk.length).toBeGreaterThan(0)
    expect(talk.filter((one) => ![a, b].includes(one.from_user_id))).toEqual([])
    const { id, user } = all<{ id: number; user: number }>(
      'select c.id, min(m.user_id) as user from conversations c join conversation_members m on m.conversation_id = c.id where c.name is not null group by c.id',
    )[0]!
    expect((await get<GroupMessage[]>(`/api/group-messages/${id}`, user)).length).toBeGreaterThan(0)
    const body = { input: 'Good evening', targetUserId: b }
    const request = encode('POST', '/api/send-private-message', {
      who: await cookies(server.url, a),
      body,
    })
    const { requests } = await load(Number(new URL(server.url).port), {
      connections: 1,
      next: once([request]),
      status: 200,
    })
    expect(requests).toBe(1)
    expect((await get<PrivateMessage[]>(`/api/messages/${a}`, b)).at(-1)).toMatchObject({
      message: 'Good evening',
      from_user_id: a,
    })
  })

  test('is measured by a client that rejects wrong responses', async () => {
    const port = Number(new URL(server.url).port)
    const request = encode('GET', '/api/posts/following')
    await expect(
      load(port, {
        connections: 1,
        next: once([request]),
        status: 200,
      }),
    ).rejects.toThrow('is not 200')
  })

  test('is the same each time it is generated', async () => {
    const again = await openCommunity(size, await serverFolder())
    const twin = new DatabaseSync(again.file, { readOnly: true })
    for (const table of ['posts', 'likes', 'follows', 'conversation_members', 'conversations'])
      expect(twin.prepare(`select * from ${table}`).all()).toHaveLength(all(`select * from ${table}`).length)
    const first = 'select user_id, body, created_at, likes_count from posts order by id'
    expect(twin.prepare(first).all()).toEqual(all(first))
    twin.close()
    expect((await openCommunity(size, dirname(community.folder))).isNew).toBe(false)
  })
})

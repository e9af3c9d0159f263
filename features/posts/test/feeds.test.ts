import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, databases } from '#tests/harness.ts'

const at = '2026-01-01T00:00:00.000Z'
const idsOf = (list: { id: number }[]) => list.map(({ id }) => id)

describe.each(databases)('a feed on %s', (dialect) => {
  test('contains the posts of followed people, recent or old, in pages', async () => {
    const { members, db } = await createTestApp({ dialect })
    const { Ada, Ben, Cleo, Dan, Eve, Fay, Gus } = await members(
      'Ada',
      'Ben',
      'Cleo',
      'Dan',
      'Eve',
      'Fay',
      'Gus',
    )
    const silent = [Gus, Fay, Cleo, Ben]
    const authors = [
      ...Array.from({ length: 40 }, (_, n) => silent[n % 4]!),
      ...Array.from({ length: 400 }, () => Eve),
      ...Array.from({ length: 60 }, (_, n) => (n % 2 ? Dan : Eve)),
    ].map(({ id }) => id)
    const rows = authors.map((user_id) => ({ user_id, body: 'A post', created_at: at }))
    const posts = await transaction(db, (tx) =>
      tx.insertInto('posts').values(rows).returning(['id', 'user_id']).execute(),
    )
    posts.sort((a, b) => b.id - a.id)

    for (const followed of [[], [Cleo], silent, [Dan], [...silent, Dan], [Ben, Cleo, Dan, Eve]]) {
      for (const one of [...silent, Dan, Eve])
        await (followed.includes(one)
          ? Ada.post(`/api/follow/${one.id}`)
          : Ada.delete(`/api/unfollow/${one.id}`))
      const ids = new Set(followed.map(({ id }) => id))
      const expected = idsOf(posts.filter(({ user_id }) => ids.has(user_id)))
      for (const limit of [7, 50]) {
        const pages: number[][] = []
        for (let path: string | undefined = `/api/posts/following?limit=${limit}`; path; ) {
          const { status, body, headers } = await Ada.get(path)
          expect(status).toBe(200)
          pages.push(idsOf(body))
          path = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
        }
        expect(pages.flat()).toEqual(expected)
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
      }
      // Requests pages with one post each, at the newest and at the oldest post of each followed author, so
      // that the limit of the page is smaller than the number of authors.
      const mine = posts.filter(({ user_id }) => ids.has(user_id))
      for (const { id: author } of followed)
        for (const at of [
          mine.findIndex((post) => post.user_id === author),
          mine.findLastIndex((post) => post.user_id === author),
        ]) {
          const { body } = await Ada.get(
            `/api/posts/following?limit=1${at > 0 ? `&before=${expected[at - 1]}` : ''}`,
          )
          expect(idsOf(body)).toEqual([expected[at]])
        }
      const middle = expected[Math.floor(expected.length / 2)] ?? 1
      expect(idsOf((await Ada.get(`/api/posts/following?after=${middle}&limit=100`)).body)).toEqual(
        expected.filter((id) => id > middle).slice(0, 100),
      )
    }
  })
})

describe.each(databases)('a list on %s', (dialect) => {
  test('shows every change at once', async () => {
    const { members, visitor } = await createTestApp({ dialect })
    const { Ada, Ben } = await members('Ada', 'Ben')
    await Ada.post(`/api/follow/${Ben.id}`)
    const write = async (text: string) => (await Ben.post('/api/posts', { text })).body.post.id as number
    const lists = async () => {
      const [own, others, feed, visitors] = [
        await Ben.get('/api/posts'),
        await Ada.get('/api/posts'),
        await Ada.get('/api/posts/following'),
        await visitor().get('/api/posts'),
      ]
      expect(feed.body).toEqual(others.body)
      expect(visitors.body).toEqual(own.body.map((post: object) => ({ ...post, liked_by_me: false })))
      return others.body.map(
        (post: { body: string; likes_count: number; liked_by_me: boolean; user: { name: string } }) => [
          post.body,
          post.user.name,
          post.likes_count,
          post.liked_by_me,
        ],
      )
    }
    expect(await lists()).toEqual([])
    const first = await write('One')
    expect(await lists()).toEqual([['One', 'Ben', 0, false]])
    const second = await write('二つ目 “two”')
    expect(await lists()).toEqual([
      ['二つ目 “two”', 'Ben', 0, false],
      ['One', 'Ben', 0, false],
    ])
    await Ada.put(`/api/posts/${first}/like`)
    expect(await lists()).toEqual([
      ['二つ目 “two”', 'Ben', 0, false],
      ['One', 'Ben', 1, true],
    ])
    await Ben.put(`/api/posts/${first}/like`)
    await Ada.delete(`/api/posts/${first}/like`)
    expect(await lists()).toEqual([
      ['二つ目 “two”', 'Ben', 0, false],
      ['One', 'Ben', 1, false],
    ])
    await Ben.post('/api/profile', { name: 'Benjamin' })
    expect(await lists()).toEqual([
      ['二つ目 “two”', 'Benjamin', 0, false],
      ['One', 'Benjamin', 1, false],
    ])
    await Ben.delete(`/api/posts/${second}`)
    expect(await lists()).toEqual([['One', 'Benjamin', 1, false]])
  })
})

test('a list is complete when it is longer than the cache', async () => {
  const { members, visitor, db } = await createTestApp()
  const { Ada } = await members('Ada')
  const rows = Array.from({ length: 5050 }, (_, n) => ({ user_id: Ada.id, body: `no. ${n}`, created_at: at }))
  for (let n = 0; n < rows.length; n += 1000)
    await transaction(db, (tx) =>
      tx
        .insertInto('posts')
        .values(rows.slice(n, n + 1000))
        .execute(),
    )
  const read = async (path: string) => {
    const { body, headers } = await visitor().get(path)
    return { ids: idsOf(body), next: /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] }
  }
  const all: number[] = []
  for (let path: string | undefined = '/api/posts?limit=100'; path; ) {
    const { ids, next } = await read(path)
    all.push(...ids)
    path = next
  }
  expect(all.length).toBe(5050)
  expect((await read('/api/posts')).ids).toEqual(all.slice(0, 50))
  await Ada.post('/api/posts', { text: 'One more' })
  expect((await read('/api/posts')).ids.slice(1)).toEqual(all.slice(0, 49))
})

test('changes by another process in the same file are visible at once', async () => {
  const { members, folder } = await createTestApp()
  const { Ada } = await members('Ada')
  const { id } = (await Ada.post('/api/posts', { text: 'One' })).body.post
  const seen = async () => {
    // Waits for the next turn of the event loop, because the server checks only once in each turn whether
    // another process has changed the database.
    await new Promise(setImmediate)
    return (await Ada.get('/api/posts')).body.map((post: { body: string; likes_count: number }) => [
      post.body,
      post.likes_count,
    ])
  }
  expect(await seen()).toEqual([['One', 0]])
  const other = new DatabaseSync(join(folder, 'engawa.db'))
  other.prepare('update posts set likes_count = 5, revision = revision + 1 where id = ?').run(id)
  expect(await seen()).toEqual([['One', 5]])
  other.prepare('insert into posts (user_id, body, created_at) values (?, ?, ?)').run(Ada.id, 'Two', at)
  expect(await seen()).toEqual([
    ['Two', 0],
    ['One', 5],
  ])
  other.prepare('delete from sessions').run()
  other.close()
  await new Promise(setImmediate)
  expect((await Ada.get('/api/profile')).status).toBe(401)
})

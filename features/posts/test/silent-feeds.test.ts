import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, databases, type TestApp } from '#tests/harness.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { POST_PAGE_SIZE } from '../contract.ts'

// Tests the feed of a member who follows people who seldom post, while others post often.

/** Returns the ids on the first page of a feed with these posts, the newest first. */
const page = (added: readonly number[], old: readonly number[]) => [...added, ...old].slice(0, POST_PAGE_SIZE)

const longAgo = '2026-01-01T00:00:00.000Z'

/** Creates an app that keeps the results of queries: on PostgreSQL, an app with Redis. */
async function createCachingTestApp(dialect: (typeof databases)[number]) {
  if (dialect === 'sqlite') return createTestApp({ dialect })
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const env = {
    DATABASE_URL: inject('postgres')!,
    REDIS_URL: redis.url,
    SECRET: 'a secret of this test'.repeat(3),
  }
  return createTestApp({ dialect, env: { ...env, PUSHER_APP_SECRET: 'a secret of this test' } })
}

/** Inserts posts of these authors, in this order. Returns their ids, the newest first. */
async function insertPosts(
  { db }: TestApp,
  authors: readonly number[],
  created_at: string,
  columns: { audience?: 'group'; group_id?: number } = {},
) {
  const rows = authors.map((user_id) => ({ user_id, body: 'A post', created_at, ...columns }))
  const inserted = await transaction(db, (tx) =>
    tx.insertInto('posts').values(rows).returning('id').execute(),
  )
  return inserted.map(({ id }) => id).sort((a, b) => b - a)
}

/** Inserts `count` members whom the member `follower` follows. Returns their ids. */
const insertFollowedPeople = ({ db }: TestApp, follower: number, count: number) =>
  transaction(db, async (tx) => {
    const people = Array.from({ length: count }, (_, n) => ({
      ...{ name: `Member ${n}`, name_key: `member ${n}`, handle: `member${n}`, name_skeleton: `member ${n}` },
      ...{ email: `${n}@example.com`, email_key: `${n}@example.com`, password_hash: 'none' },
      created_at: longAgo,
    }))
    const inserted = await tx.insertInto('users').values(people).returning('id').execute()
    const ids = inserted.map(({ id }) => id).sort((a, b) => a - b)
    const follows = ids.map((id) => ({ follower_id: follower, followed_id: id, created_at: longAgo }))
    await tx.insertInto('follows').values(follows).execute()
    return ids
  })

async function createScene(dialect: (typeof databases)[number]) {
  const app = await createCachingTestApp(dialect)
  const { Ada, Ben, Cleo, Dan, Eve } = await app.members('Ada', 'Ben', 'Cleo', 'Dan', 'Eve')
  for (const { id } of [Ben, Cleo]) await Ada.post(`/api/follow/${id}`)
  const feed = async () =>
    (await Ada.get('/api/posts/following')).body.map(({ id }: { id: number }) => id) as number[]
  const write = async (who: typeof Ben, fields: object = {}) =>
    (await who.post('/api/posts', { text: 'New', ...fields })).body.post.id as number
  return { app, Ada, Ben, Cleo, Dan, Eve, feed, write }
}

const dialects = databases.filter((dialect) => dialect === 'sqlite' || findRedis())
describe.each(dialects)('the feed of a member who follows silent people, on %s', (dialect) => {
  test('has each new post, and follows each change of the older ones', async () => {
    const { app, Ada, Ben, Cleo, Dan, Eve, feed, write } = await createScene(dialect)
    // More than fit on a page, so that another post takes the place of a deleted one.
    let old = await insertPosts(app, Array(30).fill([Ben.id, Cleo.id]).flat(), longAgo)
    const [ofDan] = await insertPosts(app, [Dan.id], longAgo)
    await insertPosts(app, Array(320).fill(Eve.id), longAgo)
    expect(await feed()).toEqual(page([], old))
    const added = [await write(Ben)]
    expect(await feed()).toEqual(page(added, old))
    await write(Eve)
    expect(await feed()).toEqual(page(added, old))
    added.unshift(await write(Cleo, { audience: 'followers' }))
    expect(await feed()).toEqual(page(added, old))

    for (let n = 0; n < 5; n++) {
      await (n % 2 ? Ben : Cleo).delete(`/api/posts/${old[0]}`)
      old = old.slice(1)
      expect(await feed()).toEqual(page(added, old))
    }
    await Ben.delete(`/api/posts/${added.pop()}`)
    expect(await feed()).toEqual(page(added, old))

    await Ada.post(`/api/follow/${Dan.id}`)
    expect(await feed()).toEqual(page(added, [ofDan!, ...old]))
    await Ada.delete(`/api/unfollow/${Dan.id}`)
    expect(await feed()).toEqual(page(added, old))
    await Ada.post(`/api/users/${Cleo.id}/mute`)
    expect(await feed()).toEqual(old.filter((_, index) => index % 2 === 0))
    await Ada.delete(`/api/users/${Cleo.id}/mute`)
    expect(await feed()).toEqual(page(added, old))

    const { group } = (await Ada.post('/api/groups', { name: 'Book club' })).body
    await Ada.post(`/api/groups/${group.id}/add-user`, { user_id: Ben.id })
    added.unshift(await write(Ben, { audience: 'group', group_id: group.id }))
    expect(await feed()).toEqual(page(added, old))

    await insertPosts(app, Array(350).fill(Eve.id), longAgo)
    expect(await feed()).toEqual(page(added, old))
    added.unshift(await write(Cleo))
    expect(await feed()).toEqual(page(added, old))
  })

  test('has the posts of people who come after many whose newest posts are for others', async () => {
    const { app, Ada, Eve } = await createScene(dialect)
    const people = await insertFollowedPeople(app, Ada.id, 60)
    const [forOthers, forAll] = [people.slice(0, 30), people.slice(30)]
    const early = await insertPosts(app, forOthers, longAgo)
    const late = await insertPosts(app, forAll, longAgo)
    await insertPosts(app, forOthers, longAgo, { audience: 'group', group_id: 999 })
    await insertPosts(app, Array(320).fill(Eve.id), longAgo)
    const expected = [...late, ...early]
    const read = async (limit: number) =>
      (await Ada.get(`/api/posts/following?limit=${limit}`)).body.map(({ id }: { id: number }) => id)
    for (const limit of [5, 20, 35, 100]) expect(await read(limit)).toEqual(expected.slice(0, limit))
  })

  test('has the new posts also if the member follows very many people', async () => {
    const { app, Ada, Ben, Eve, feed, write } = await createScene(dialect)
    await insertFollowedPeople(app, Ada.id, 1001)
    const old = await insertPosts(app, [Ben.id], longAgo)
    await insertPosts(app, Array(320).fill(Eve.id), longAgo)
    expect(await feed()).toEqual(old)
    const added = await write(Ben)
    expect(await feed()).toEqual([added, ...old])
    await Ada.post(`/api/follow/${Eve.id}`)
    expect((await feed()).length).toBe(POST_PAGE_SIZE)
    expect((await feed())[0]).toBe(added)
  })
})

test.runIf(dialects.includes('postgres'))(
  'a post that is committed after hundreds of newer ones is in the feed',
  async () => {
    const { app, Ben, Eve, feed, write } = await createScene('postgres')
    const old = await insertPosts(app, [Ben.id], isoNow())
    await insertPosts(app, Array(320).fill(Eve.id), isoNow())
    const isInserted = Promise.withResolvers<number>()
    const mayCommit = Promise.withResolvers<void>()
    const late = transaction(app.db, async (tx) => {
      const row = { user_id: Ben.id, body: 'Late', created_at: isoNow() }
      const { id } = await tx.insertInto('posts').values(row).returning('id').executeTakeFirstOrThrow()
      isInserted.resolve(id)
      await mayCommit.promise
    })
    const id = await isInserted.promise
    for (let n = 0; n < 3; n++) {
      await write(Eve)
      expect(await feed()).toEqual(old)
    }
    mayCommit.resolve()
    await late
    expect(await feed()).toEqual([id, ...old])
  },
)

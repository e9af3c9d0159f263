import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTestApp, databases, type TestApp } from '#tests/harness.ts'
import { migratedPostgres } from '#tests/migrated-databases.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { type RoundTrips, startPostgresProxy, startRedisProxy } from '#tests/round-trips.ts'
import { dropDatabase } from '#tests/services.ts'

// Tests how often a write waits for PostgreSQL and Redis. A statement that waits for the answer to the one
// before costs a round trip, during which the write holds its locks.

vi.setConfig({ testTimeout: 120_000 })

/** The number of times that each write runs. A timer may add traffic to some of these runs, but not to all. */
const RUNS = 5

async function createCountedApp() {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const database = await migratedPostgres()
  onTestFinished(() => dropDatabase(database))
  const postgres = await startPostgresProxy(database)
  const proxy = await startRedisProxy(redis.url)
  const env = { DATABASE_URL: postgres.url, REDIS_URL: proxy.url, SECRET: 'x'.repeat(40) }
  const app = await createTestApp({ sameDataAs: { url: postgres.url, s3: null }, env })

  /**
   * Runs a write `RUNS` times. Returns the smallest number of round trips to PostgreSQL in a run, and the
   * smallest number of scripts that Redis has run.
   */
  async function count(write: (n: number) => Promise<{ status: number; body: unknown }>) {
    const all: { postgres: RoundTrips; redis: RoundTrips }[] = []
    for (let n = 0; n < RUNS; n++) {
      await app.context.jobs.idle()
      let ofRedis: RoundTrips | undefined
      const ofPostgres = await postgres.count(async () => {
        ofRedis = await proxy.count(async () => {
          const { status, body } = await write(n)
          expect(status, JSON.stringify(body)).toBeLessThan(300)
        })
      })
      all.push({ postgres: { ...ofPostgres }, redis: { ...ofRedis! } })
    }
    const least = (values: readonly number[]) => Math.min(...values)
    return {
      postgres: least(all.map((one) => one.postgres.roundTrips)),
      redisScripts: least(all.map((one) => one.redis.sent.filter((name) => name === 'eval').length)),
    }
  }
  return { ...app, count }
}

const text = { text: 'Good evening' }

/**
 * Registers the members Ann, Ben and Cem, with posts of Ann, a private chat of Ann and Ben, and a group of
 * all three.
 */
async function createScene({ members }: Pick<TestApp, 'members'>) {
  const { Ann, Ben, Cem } = await members('Ann', 'Ben', 'Cem')
  for (const [who, other] of [
    [Ann, Ben],
    [Ben, Ann],
  ] as const) {
    await who.post(`/api/follow/${other.id}`)
    const message = { input: 'Hello', targetUserId: other.id }
    expect((await who.post('/api/send-private-message', message)).status).toBe(200)
  }
  const posts: number[] = []
  for (let n = 0; n < RUNS; n++) posts.push((await Ann.post('/api/posts', text)).body.post.id)
  const { group } = (await Ann.post('/api/groups', { name: 'All' })).body
  for (const { id } of [Ben, Cem]) await Ann.post(`/api/groups/${group.id}/add-user`, { user_id: id })
  return { Ann, Ben, Cem, posts, group: group.id as number }
}

describe.runIf(databases.includes('postgres') && findRedis())('on PostgreSQL and Redis', () => {
  test('a write waits for no more answers of PostgreSQL than it has steps', async () => {
    const app = await createCountedApp()
    const { Ann, Ben, Cem, posts, group } = await createScene(app)
    const roundTrips: Record<string, number> = {}
    const scripts: Record<string, number> = {}
    const count = async (what: string, write: Parameters<typeof app.count>[0]) => {
      const { postgres, redisScripts } = await app.count(write)
      roundTrips[what] = postgres
      scripts[what] = redisScripts
    }
    await count('like', (n) => Ben.put(`/api/posts/${posts[n]}/like`))
    await count('like again', (n) => Ben.put(`/api/posts/${posts[n]}/like`))
    await count('unlike', (n) => Ben.delete(`/api/posts/${posts[n]}/like`))
    await count('toggle a like', (n) => Cem.post(`/api/posts/${posts[n]}/like`))
    await count('post', () => Ann.post('/api/posts', text))
    const input = 'Good evening'
    await count('private message', () =>
      Ann.post('/api/send-private-message', { input, targetUserId: Ben.id }),
    )
    await count('group message', () =>
      Ben.post('/api/group-messages/send', { message: input, group_id: group }),
    )
    const others = Object.values(await app.members('Dan', 'Eli', 'Fay', 'Gus', 'Hal'))
    await count('follow', (n) => Cem.post(`/api/follow/${others[n]!.id}`))
    expect(roundTrips).toEqual({
      ...{ like: 8, 'like again': 4, unlike: 6, 'toggle a like': 8, follow: 9, post: 6 },
      ...{ 'private message': 10, 'group message': 9 },
    })
    // Expects at most three scripts that Redis runs for each write: the first one reads the versions of
    // tables for the session, and the second one changes versions. A third one may read versions for the
    // live event, after the response. A message has two more for its lock.
    for (const [what, number] of Object.entries(scripts))
      expect(number, what).toBeLessThanOrEqual(what.includes('message') ? 5 : 3)
  })
})

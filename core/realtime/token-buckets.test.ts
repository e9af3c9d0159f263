import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import {
  type BucketKeyAndSpentTokens,
  createRealtimeTokenBuckets,
  type RealtimeTokenBuckets,
} from '#core/realtime/token-buckets.ts'
import { testDatabaseDialects } from '#tests/harness.ts'
import { findRedisServerPath } from '#tests/programs.ts'
import { startTemporaryRedis } from '#tests/redis.ts'
import { connectPusherWebSocketTestClient, startRealtimeTestApp } from '#tests/sockets.ts'

const ann = { address: '192.0.2.1', user: { id: 7 } }
const visitor = { address: '192.0.2.1', user: null }
let reports: (readonly BucketKeyAndSpentTokens[])[]

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  reports = []
})

/**
 * Creates the token buckets of `count` processes for a test. The processes report the taken tokens to each
 * other.
 */
function startProcesses(count: number) {
  const all: RealtimeTokenBuckets[] = Array.from({ length: count }, (_, n) =>
    createRealtimeTokenBuckets({ RATE_LIMIT: true }, (spending) => {
      reports.push(spending)
      for (const other of all) if (other !== all[n]) other.addSpending(spending)
    }),
  )
  onTestFinished(() => {
    for (const tokenBuckets of all) tokenBuckets.close()
  })
  return all
}

/**
 * Tries to take a token `tries` times, from the buckets of each process in turn. Returns how many tries
 * succeed.
 */
const allowed = (
  all: readonly RealtimeTokenBuckets[],
  kind: Parameters<RealtimeTokenBuckets['consume']>[0],
  tries: number,
  who: Parameters<RealtimeTokenBuckets['consume']>[1] = ann,
) => Array.from({ length: tries }, (_, n) => all[n % all.length]!.consume(kind, who)).filter(Boolean).length

test('a full bucket can be emptied at once, and refills', () => {
  const all = startProcesses(1)
  expect(allowed(all, 'clientEvents', 100)).toBe(40)
  vi.advanceTimersByTime(500)
  expect(allowed(all, 'clientEvents', 100)).toBe(10)
  vi.advanceTimersByTime(60_000)
  expect(allowed(all, 'clientEvents', 100)).toBe(40)
  expect(allowed(all, 'clientEvents', 1000, visitor)).toBe(400)
})

test('a member at four processes has the limit of one process, except within a second', () => {
  const all = startProcesses(4)
  let sent = 0
  for (let second = 0; second < 60; second++) {
    sent += allowed(all, 'frames', 2000)
    vi.advanceTimersByTime(1000)
  }
  // The bucket holds 2,000 tokens and gains 200 a second. The capacity of 2,000 counts twice here, because in
  // the first second the processes do not know what the others have taken.
  expect(sent).toBeLessThanOrEqual(2 * 2000 + 60 * 200)
  expect(sent).toBeGreaterThan(60 * 200 - 2000)
})

test('a process knows the tokens taken at another one a second later', () => {
  const [one, other] = startProcesses(2) as [RealtimeTokenBuckets, RealtimeTokenBuckets]
  expect(allowed([one], 'subscriptions', 1000)).toBe(800)
  expect(other.consume('subscriptions', ann)).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(allowed([other], 'subscriptions', 1000)).toBeLessThanOrEqual(20)
  const ben = { ...ann, user: { id: 8 } }
  expect(allowed([other], 'subscriptions', 1000, ben), 'another member of the address').toBe(800)
})

test('ordinary use by a member is not reported every second', () => {
  const [one] = startProcesses(2) as [RealtimeTokenBuckets, RealtimeTokenBuckets]
  for (let second = 0; second < 10; second++) {
    one.consume('frames', ann)
    one.consume('bytes', ann, 500)
    vi.advanceTimersByTime(1000)
  }
  expect(reports).toEqual([])
  for (let n = 0; n < 40; n++) one.consume('frames', ann)
  vi.advanceTimersByTime(1000)
  expect(reports).toEqual([[['frames member 7', 50]]])
})

test('a bucket with an unreported amount is not deleted when it is full', () => {
  const [one] = startProcesses(2) as [RealtimeTokenBuckets, RealtimeTokenBuckets]
  vi.advanceTimersByTime(59_500)
  for (let n = 0; n < 6; n++) one.consume('clientEvents', ann)
  vi.advanceTimersByTime(1000)
  expect(reports).toEqual([[['clientEvents member 7', 6]]])
})

test('buckets of an unknown kind are ignored', () => {
  const [one] = startProcesses(1) as [RealtimeTokenBuckets]
  one.addSpending([
    ['dances member 7', 1],
    ['messages room 7', 1],
    ['frames', 1],
  ])
  expect(one.consume('frames', ann)).toBe(true)
})

test.skipIf(!findRedisServerPath() || !testDatabaseDialects.includes('postgres'))(
  'what a member subscribed to at one process counts at another',
  async () => {
    vi.useRealTimers()
    const redis = await startTemporaryRedis()
    onTestFinished(() => redis.stop())
    const env = {
      DATABASE_URL: inject('postgres')!,
      REDIS_URL: redis.url,
      SECRET: 'the secret of both processes: cookies and sessions',
      PUSHER_APP_SECRET: 'the other secret of both processes',
      RATE_LIMIT: 'on',
    }
    const one = await startRealtimeTestApp({ dialect: 'postgres', env })
    const two = await startRealtimeTestApp({ dialect: 'postgres', env, sameDataAs: one.sameData })
    const { Ann } = await one.members('Ann')
    for (let socket = 0; socket < 4; socket++) {
      const client = await one.subscribeAs(Ann, 'private-room.1')
      for (let n = 1; n < 200; n++) client.subscribe(`open-${n}`)
      await client.sync()
      expect(client.received('pusher:subscription_error')).toEqual([])
    }
    const client = await connectPusherWebSocketTestClient(two.url)
    client.subscribe('private-room.1', (await two.sign(Ann, client.id, 'private-room.1')).body)
    await client.sync()
    // The test sends at most 400 subscriptions, half of the 800 that a member may send at once. Ann has
    // already sent 800 to the other process.
    for (let round = 0; round < 8 && !client.received('pusher:subscription_error').length; round++) {
      for (let n = 0; n < 50; n++) {
        client.subscribe(`open-${n}`)
        client.unsubscribe(`open-${n}`)
      }
      await client.sync()
      await sleep(400)
    }
    expect(client.received('pusher:subscription_error')[0]?.data).toMatchObject({ status: 429 })
  },
)

import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#core/config.ts'
import { openRedis } from '#core/process/redis.ts'
import { type EventCache, memoryEventCache, redisEventCache } from '#core/realtime/cache-channels.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'

const MINUTE = 60_000
const MOST = 10_000

async function openRedisCache() {
  const server = await startRedis()
  const SECRET = createHash('sha256').update('cached events').digest('hex')
  const redis = await openRedis(readConfig({ SECRET }), [server.url])
  onTestFinished(async () => {
    await redis.close()
    await server.stop()
  })
  return redisEventCache(redis)
}

const set = (cache: EventCache, channel: string, data = '1') => cache.set(channel, { event: 'Said', data })
/** Stores an event in the tested cache for each of the channels `cache-0`, `cache-1` …, one after another. */
async function fill(cache: EventCache, count: number, data?: string) {
  for (let n = 0; n < count; n++) await set(cache, `cache-${n}`, data)
}
async function countCached(cache: EventCache, count: number) {
  let cached = 0
  for (let n = 0; n < count; n++) if (await cache.get(`cache-${n}`)) cached++
  return cached
}

describe.each(['memory', 'Redis'] as const)('the cached events in %s', (storage) => {
  const open = async () => (storage === 'memory' ? memoryEventCache() : openRedisCache())
  const optional = test.skipIf(storage === 'Redis' && !findRedis())

  optional('are given for 30 minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const cache = await open()
    await set(cache, 'cache-x')
    vi.setSystemTime(Date.now() + 30 * MINUTE - 1)
    expect(await cache.get('cache-x')).toMatchObject({ event: 'Said', data: '1' })
    vi.setSystemTime(Date.now() + 1)
    expect(await cache.get('cache-x')).toBeNull()
    await set(cache, 'cache-x', '2')
    expect(await cache.get('cache-x')).toMatchObject({ data: '2' })
  })

  optional('are those of 10,000 channels', async () => {
    const cache = await open()
    await fill(cache, MOST)
    expect(await countCached(cache, MOST)).toBe(MOST)
    await set(cache, 'cache-0', '2')
    expect(await countCached(cache, MOST)).toBe(MOST)
    await fill(cache, MOST + 5)
    expect(await countCached(cache, MOST + 5)).toBe(MOST)
  })

  optional('are none of a megabyte, and not the one before it either', async () => {
    const cache = await open()
    await set(cache, 'cache-x', 'x'.repeat(2 ** 20))
    expect((await cache.get('cache-x'))?.data).toHaveLength(2 ** 20)
    await set(cache, 'cache-x', 'x'.repeat(2 ** 20 + 1))
    expect(await cache.get('cache-x')).toBeNull()
  })
})

describe('the cached events in memory', () => {
  test('take 32 MB, and the oldest go first', async () => {
    const cache = memoryEventCache()
    // Fills 30 MB of the 32 MB of the tested cache: fifteen events of 2 ** 20 characters, and a character
    // counts as two bytes.
    await fill(cache, 15, 'x'.repeat(2 ** 20))
    expect(await countCached(cache, 15)).toBe(15)
    await set(cache, 'cache-0', '1')
    await set(cache, 'cache-15', 'x'.repeat(2 ** 20))
    expect(await countCached(cache, 16)).toBe(16)
    await set(cache, 'cache-16', 'x'.repeat(2 ** 20))
    expect(await cache.get('cache-1')).toBeNull()
    expect(await cache.get('cache-2')).not.toBeNull()
  })
})

import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRedis, type Redis } from '#core/process/redis.ts'
import { createFirstCheck } from '#core/realtime/first-arrival.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'

describe('a signed request', () => {
  test('arrives first once, and again when it is forgotten', async () => {
    const isFirst = createFirstCheck(null, 1000)
    const [one, other] = [randomBytes(32), randomBytes(32)]
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => now.mockRestore())
    const pass = (ms: number) => now.mockReturnValue(performance.now() + ms)
    expect([await isFirst(one), await isFirst(one), await isFirst(other)]).toEqual([true, false, true])
    pass(1000)
    expect(await isFirst(one)).toBe(false)
    pass(1000)
    expect(await isFirst(one)).toBe(true)
  })

  test('is forgotten early only after a hundred thousand later ones', async () => {
    const isFirst = createFirstCheck(null, 600_000)
    const signatureOf = (n: number) => {
      const bytes = Buffer.alloc(32)
      bytes.writeUInt32BE(n)
      return bytes
    }
    for (let n = 0; n <= 100_000; n++) await isFirst(signatureOf(n))
    expect(await isFirst(signatureOf(0))).toBe(false)
    for (let n = 100_001; n <= 200_000; n++) await isFirst(signatureOf(n))
    expect([await isFirst(signatureOf(0)), await isFirst(signatureOf(100_001))]).toEqual([true, false])
  })

  test.skipIf(!findRedis())('arrives first at one of several processes with Redis', async () => {
    const server = await startRedis()
    onTestFinished(() => server.stop())
    const config = { SECRET: randomBytes(32) } as Parameters<typeof openRedis>[0]
    const connections = [await openRedis(config, [server.url]), await openRedis(config, [server.url])]
    onTestFinished(() => void Promise.all(connections.map((redis) => redis.close())))
    const [here, there] = connections.map((redis) => createFirstCheck(redis, 60_000))
    const one = randomBytes(32)
    expect((await Promise.all([here!(one), there!(one)])).sort()).toEqual([false, true])
    expect([await here!(one), await there!(one)]).toEqual([false, false])
  })

  test('is counted by each process alone while Redis does not answer', async () => {
    const redis = {
      keyPrefix: 'x',
      runScript: () => Promise.reject(new Error('Redis is away')),
    } as Partial<Redis>
    const isFirst = createFirstCheck(redis as Redis, 60_000)
    const one = randomBytes(32)
    expect([await isFirst(one), await isFirst(one)]).toEqual([true, false])
  })
})

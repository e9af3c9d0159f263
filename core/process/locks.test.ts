import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Config } from '#core/config.ts'
import { eventually } from '#tests/eventually.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { createLocalLock, createRedisLock, eachConcurrently } from './locks.ts'
import { openRedis, type Redis } from './redis.ts'

describe('a lock', () => {
  test('is held by one caller at a time, in the order of the requests; other keys do not wait', async () => {
    const withLock = createLocalLock()
    const log: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = withLock('a', async () => {
      log.push('first begins')
      await gate.promise
      log.push('first ends')
    })
    const others = ['second', 'third'].map((name) => withLock('a', async () => void log.push(name)))
    await withLock('b', async () => void log.push('other key'))
    expect(log).toEqual(['first begins', 'other key'])
    gate.resolve()
    await Promise.all([first, ...others])
    expect(log).toEqual(['first begins', 'other key', 'first ends', 'second', 'third'])
  })

  test('is released by a failure, which only its own caller sees', async () => {
    const withLock = createLocalLock()
    const failing = withLock('a', () => Promise.reject(new Error('failed')))
    const next = withLock('a', async () => 'done')
    await expect(failing).rejects.toThrow('failed')
    expect(await next).toBe('done')
  })
})

/** Creates the lock functions of two processes on one Redis. `flushed` runs before each release. */
async function createTwoProcesses(flushed = async () => {}) {
  const server = await startRedis()
  const open = () => openRedis({ SECRET: Buffer.alloc(32) } as Config, [server.url])
  const clients: [Redis, Redis] = [await open(), await open()]
  onTestFinished(async () => {
    for (const client of clients) await client.close()
    await server.stop()
  })
  const [first, second] = clients
  return {
    runScript: vi.spyOn(first, 'runScript'),
    withFirst: createRedisLock(first, flushed),
    withSecond: createRedisLock(second, flushed),
  }
}

describe.runIf(findRedis())('a lock in Redis', () => {
  test('is held by one caller of all processes at a time, in the order of each process', async () => {
    const { withFirst, withSecond } = await createTwoProcesses()
    let holders = 0
    const order: Record<string, number[]> = { first: [], second: [] }
    const hold = (process: string, n: number) => async () => {
      expect(++holders).toBe(1)
      await sleep(n % 3)
      order[process]!.push(n)
      holders--
    }
    const numbers = Array.from({ length: 100 }, (_, n) => n)
    await Promise.all(
      numbers.flatMap((n) => [withFirst('a', hold('first', n)), withSecond('a', hold('second', n))]),
    )
    expect(order).toEqual({ first: numbers, second: numbers })
  })

  test('is passed on in a process without a question to Redis, also after a failure', async () => {
    const { runScript, withFirst } = await createTwoProcesses()
    const runs = Array.from({ length: 20 }, (_, n) =>
      withFirst('a', async () => {
        if (n === 3) throw new Error('failed')
        return n
      }),
    )
    const results = await Promise.allSettled(runs)
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(19)
    await eventually(() => expect(runScript).toHaveBeenCalledTimes(2))
    expect(await withFirst('a', async () => 'again')).toBe('again')
    await eventually(() => expect(runScript).toHaveBeenCalledTimes(4))
  })

  test('comes to another process although callers of the first always wait for it', async () => {
    const { withFirst, withSecond } = await createTwoProcesses()
    let isOver = false
    const again = async (): Promise<void> => {
      await withFirst('a', () => sleep(5))
      if (!isOver) await again()
    }
    const busy = [again(), again(), again()]
    await sleep(20)
    await withSecond('a', async () => {
      isOver = true
    })
    await Promise.all(busy)
  })

  test('is released to another process only when the events have left', async () => {
    const left = Promise.withResolvers<void>()
    const { withFirst, withSecond } = await createTwoProcesses(() => left.promise)
    const log: string[] = []
    await withFirst('a', async () => void log.push('first'))
    const second = withSecond('a', async () => void log.push('second'))
    await sleep(50)
    log.push('left')
    left.resolve()
    await second
    expect(log).toEqual(['first', 'left', 'second'])
  })
})

describe('eachConcurrently', () => {
  test('runs at most `limit` items at a time, and runs all of them', async () => {
    let running = 0
    let most = 0
    const done: number[] = []
    await eachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, ++running)
      await nextTurn()
      running--
      done.push(item)
    })
    expect([most, done.sort()]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]])
  })

  test('starts no more items after a failure, and throws when the running items have ended', async () => {
    const begun: number[] = []
    const done: number[] = []
    const all = eachConcurrently([1, 2, 3, 4], 2, async (item) => {
      begun.push(item)
      if (item === 1) throw new Error('failed')
      await nextTurn()
      done.push(item)
    })
    await expect(all).rejects.toThrow('failed')
    expect({ begun, done }).toEqual({ begun: [1, 2], done: [2] })
  })
})

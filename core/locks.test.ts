import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createRunWithLocalLock, forEachConcurrently } from '#core/locks.ts'

describe('a lock', () => {
  test('is held by one caller at a time, in the order of the requests; other keys do not wait', async () => {
    const withLock = createRunWithLocalLock()
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
    const withLock = createRunWithLocalLock()
    const failing = withLock('a', () => Promise.reject(new Error('failed')))
    const next = withLock('a', async () => 'done')
    await expect(failing).rejects.toThrow('failed')
    expect(await next).toBe('done')
  })
})

describe('forEachConcurrently', () => {
  test('runs at most `limit` items at a time, and runs all of them', async () => {
    let running = 0
    let most = 0
    const done: number[] = []
    await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
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
    const all = forEachConcurrently([1, 2, 3, 4], 2, async (item) => {
      begun.push(item)
      if (item === 1) throw new Error('failed')
      await nextTurn()
      done.push(item)
    })
    await expect(all).rejects.toThrow('failed')
    expect({ begun, done }).toEqual({ begun: [1, 2], done: [2] })
  })
})

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairQueue, QueueFullError } from './fair-queue.ts'

/**
 * Creates tasks for a test, which run until the test ends them, and records the order in which they began.
 */
function tasks(options: Parameters<typeof createFairQueue>[0]) {
  const queue = createFairQueue(options)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (key: string, name: string, group = '') =>
    queue
      .run(
        key,
        () => {
          begun.push(name)
          return new Promise<string>((resolve) => ends.push(() => resolve(name)))
        },
        undefined,
        group,
      )
      .catch((error: unknown) => {
        if (!(error instanceof QueueFullError)) throw error
        return 'refused'
      })
  const finish = async (count: number) => {
    for (let n = 0; n < count; n++) {
      ends.shift()!()
      await turn()
    }
  }
  return { queue, begun, add, finish }
}

test('tasks of one key run in order, and keys take turns', async () => {
  const { queue, begun, add, finish } = tasks({ concurrency: 2, capacity: 100 })
  const crowd = Array.from({ length: 6 }, (_, n) => add('crowd', `c${n}`))
  const ann = add('ann', 'ann')
  const ben = add('ben', 'ben')
  expect(queue.waiting()).toBe(6)
  await turn()
  expect(begun).toEqual(['c0', 'c1'])
  await finish(8)
  expect(begun).toEqual(['c0', 'c1', 'c2', 'ann', 'ben', 'c3', 'c4', 'c5'])
  expect(await Promise.all([...crowd, ann, ben])).toHaveLength(8)
  expect(queue.waiting()).toBe(0)
  const later = add('ann', 'later')
  await turn()
  await finish(1)
  expect(await later).toBe('later')
})

test('a full queue rejects the newest task of the key with the most tasks', async () => {
  const { queue, add, finish } = tasks({ concurrency: 1, capacity: 3 })
  const crowd = Array.from({ length: 4 }, (_, n) => add('crowd', `c${n}`))
  const ann = add('ann', 'ann')
  expect(await crowd[3]).toBe('refused')
  const late = add('crowd', 'late')
  expect(await late).toBe('refused')
  expect(queue.waiting()).toBe(3)
  await finish(4)
  expect(await Promise.all([...crowd.slice(0, 3), ann])).toEqual(['c0', 'c1', 'c2', 'ann'])
})

test('a key and a group have only a part of the places, and their waiting tasks hold up no others', async () => {
  const { queue, begun, add, finish } = tasks({ concurrency: 4, capacity: 100, perKey: 2, perGroup: 3 })
  const all = [1, 2, 3].map((n) => add('crowd', `c${n}`, 'slow'))
  all.push(add('ann', 'a1', 'slow'), add('ben', 'b1', 'slow'), add('ben', 'b2', 'well'))
  await turn()
  expect(begun, 'two of the crowd, three of the slow group').toEqual(['c1', 'c2', 'a1', 'b2'])
  await finish(1)
  expect(begun.slice(4), 'the crowd waited first').toEqual(['c3'])
  await finish(1)
  expect(begun.slice(5)).toEqual(['b1'])
  await finish(4)
  expect(await Promise.all(all)).toEqual(['c1', 'c2', 'c3', 'a1', 'b1', 'b2'])
  expect(queue.waiting()).toBe(0)
})

test('a task that fails makes room for the next', async () => {
  const queue = createFairQueue({ concurrency: 1, capacity: 10 })
  const failing = queue.run('a', () => Promise.reject(new Error('no')))
  const next = queue.run('a', async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

test('a task that is aborted while it waits leaves the queue, and does not begin', async () => {
  const { queue, begun, add, finish } = tasks({ concurrency: 1, capacity: 10 })
  const first = add('a', 'first')
  const controller = new AbortController()
  const aborted = queue.run('a', async () => begun.push('aborted'), controller.signal)
  const last = add('b', 'last')
  controller.abort(new Error('gone'))
  await expect(aborted).rejects.toThrow('gone')
  expect(queue.waiting()).toBe(1)
  await expect(queue.run('a', async () => begun.push('late'), controller.signal)).rejects.toThrow('gone')
  await finish(2)
  expect(await Promise.all([first, last])).toEqual(['first', 'last'])
  expect(begun).toEqual(['first', 'last'])
})

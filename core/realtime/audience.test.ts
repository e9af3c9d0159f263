import { expect, test } from 'vitest'
import { DeliveryQueue, hiddenFromAny } from '#core/realtime/audience.ts'

test('a delivery waits only where it or one before it has to, and none overtakes another', async () => {
  const done: string[] = []
  const queue = new DeliveryQueue((error) => done.push(String(error)))
  const slow = Promise.withResolvers<ReadonlySet<number>>()
  const run = (name: string, hidden: Promise<ReadonlySet<number>> | null = null) =>
    queue.run(hidden, (viewers) => done.push(`${name} without ${[...(viewers ?? [])]}`))
  run('a')
  expect(done.splice(0)).toEqual(['a without '])
  run('b', slow.promise)
  run('c', Promise.reject('no database'))
  run('d')
  run('e', Promise.resolve(new Set()))
  await new Promise(setImmediate)
  expect(done).toEqual([])
  slow.resolve(new Set([1, 2]))
  await new Promise(setImmediate)
  expect(done.splice(0)).toEqual(['b without 1,2', 'no database', 'd without ', 'e without '])
  run('f')
  expect(done, 'the queue is empty').toEqual(['f without '])
})

test('an event about two people is hidden from those who may not see one of them', async () => {
  const hiddenFrom = (person: number) => Promise.resolve(new Set([0, person + 10]))
  const hiddenTo = () => null
  expect(await hiddenFromAny({ hiddenFrom, hiddenTo }, [1, 2])).toEqual(new Set([0, 11, 12]))
  expect(hiddenFromAny({ hiddenFrom, hiddenTo })).toBe(null)
  expect(hiddenFromAny({ hiddenFrom: () => null, hiddenTo }, [1, 2])).toBe(null)
})

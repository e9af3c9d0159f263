import { expect, test } from 'vitest'
import { type EventPeople, findExcluded, OrderedDeliveries } from '#core/realtime/visibility.ts'

test('a delivery waits only when it or an earlier one must, and no delivery overtakes another', async () => {
  const done: string[] = []
  const queue = new OrderedDeliveries((error) => done.push(String(error)))
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

test('an event about two people is hidden from viewers who may not see both of them', async () => {
  const hiddenFrom = (person: number) => Promise.resolve(new Set([0, person + 10]))
  const mutedBy = (person: number) => Promise.resolve(new Set([person + 20]))
  const apartFrom = (person: number) => Promise.resolve(new Set([person + 30]))
  const visibility = { hiddenFrom, mutedBy, apartFrom, hiddenPeople: () => null, peers: async () => [] }
  const excluded = (event: EventPeople) => findExcluded(visibility, event)
  const about = { aboutUsers: [1, 2] }
  expect(await excluded(about)).toEqual(new Set([0, 11, 12]))
  const unmuted = { ...about, unlessMuted: true }
  expect(await excluded(unmuted)).toEqual(new Set([0, 11, 12, 21, 22, 31, 32]))
  expect(await excluded({ ...unmuted, inGroup: true })).toEqual(new Set([0, 11, 12, 21, 22]))
  expect(excluded({})).toBe(null)
  expect(findExcluded({ ...visibility, hiddenFrom: () => null }, about)).toBe(null)
})

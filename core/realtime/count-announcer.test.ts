import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryBus } from '#core/realtime/bus.ts'
import { CountAnnouncer } from '#core/realtime/count-announcer.ts'
import { createCounter } from '#core/realtime/counts.ts'

let subscribers: number
let announcedCounts: number[]
let announcer: CountAnnouncer
beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  announcedCounts = []
  const bus = createMemoryBus()
  bus.listen({
    onMessage: (message) => {
      if (message.kind === 'event') announcedCounts.push(JSON.parse(message.data).subscription_count)
    },
    onHello() {},
    onMissed() {},
    onProcessGone() {},
  })
  const counter = createCounter(bus, () => (subscribers ? [['open', subscribers]] : []))
  announcer = new CountAnnouncer(counter, bus)
})
/**
 * Sets the number of subscribers in a test and tells the announcer, as LocalChannels does when a subscription
 * begins or ends.
 */
const change = (count: number) => {
  subscribers = count
  announcer.changed('open', count)
}
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a small channel is told its count half a second after it changed, once for all changes', async () => {
  for (const count of [1, 2, 3]) change(count)
  await wait(499)
  expect(announcedCounts).toEqual([])
  await wait(1)
  expect(announcedCounts).toEqual([3])
  await wait(10_000)
  expect(announcedCounts).toEqual([3])
})

test('a channel of a hundred subscribers is told its count every five seconds', async () => {
  for (let second = 0; second < 20; second++) {
    change(100 + second)
    await wait(1000)
  }
  expect(announcedCounts).toEqual([104, 109, 114, 119])
})

test('nobody is told of an empty channel, nor after the end of the process', async () => {
  change(1)
  change(0)
  await wait(500)
  change(1)
  announcer.close()
  await wait(10_000)
  expect(announcedCounts).toEqual([])
})

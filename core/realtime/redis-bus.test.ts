import { expect, onTestFinished, test, vi } from 'vitest'
import type { Redis } from '#core/process/redis.ts'
import { createRedisBus } from '#core/realtime/redis-bus.ts'

/** Creates a Redis in memory that only publishes. */
function createPublishingRedis({ isCluster = false } = {}): Redis {
  const subscribers = new Map<string, Set<(message: string, channel: string) => void>>()
  return {
    keyPrefix: 'test',
    isCluster,
    async publish(channel, message) {
      for (const notify of subscribers.get(channel) ?? []) notify(message, channel)
    },
    async subscribe(channel, onMessage) {
      subscribers.set(channel, (subscribers.get(channel) ?? new Set()).add(onMessage))
    },
    runScript: async () => null,
    onDisconnect() {},
    close: async () => {},
  }
}

const log = { warn() {}, info() {}, error() {} } as unknown as Parameters<typeof createRedisBus>[1]

test('a process that was too busy to read the messages of the others does not take them for ended', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const redis = createPublishingRedis()
  const [here, there] = [await createRedisBus(redis, log), await createRedisBus(redis, log)]
  const [onMissed, onProcessGone] = [vi.fn(), vi.fn()]
  there.listen({ onMessage() {}, onHello() {}, onMissed() {}, onProcessGone() {} })
  here.listen({ onMessage() {}, onHello() {}, onMissed, onProcessGone })
  await vi.advanceTimersByTimeAsync(3000)
  // Sets the clock ahead without running the timers, as after 20 s in which the process was busy.
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000)
  onTestFinished(() => clock.mockRestore())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onMissed).not.toHaveBeenCalled()
  expect(onProcessGone).not.toHaveBeenCalled()
  expect(here.isConnected()).toBe(true)
  expect(here.otherProcesses()).toEqual([there.processId])
  await there.close()
  await here.close()
})

test('a process that has said that it ends does not come back with the events of its last requests', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const redis = createPublishingRedis()
  const [here, there] = [await createRedisBus(redis, log), await createRedisBus(redis, log)]
  const [received, gone] = [[] as string[], [] as string[]]
  const onMissed = vi.fn()
  there.listen({ onMessage() {}, onHello() {}, onMissed() {}, onProcessGone() {} })
  here.listen({
    onMessage: ({ kind }) => received.push(kind),
    onHello() {},
    onMissed,
    onProcessGone: (id) => gone.push(id),
  })
  await vi.advanceTimersByTimeAsync(3000)
  expect(here.otherProcesses()).toEqual([there.processId])
  await there.close()
  expect(gone).toEqual([there.processId])
  await there.publish('', { kind: 'settings' })
  expect(received).toEqual(['settings'])
  expect(here.otherProcesses()).toEqual([])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(gone).toHaveLength(1)
  expect(onMissed, 'nothing was lost').not.toHaveBeenCalled()
  await here.close()
})

test.each([
  ['a single server', false, 1],
  ['a cluster', true, 8],
])('%s spreads topics over streams (cluster: %s) whose number is %i', async (_, isCluster, count) => {
  const bus = await createRedisBus(createPublishingRedis({ isCluster }), log)
  const topics = Array.from({ length: 200 }, (_, n) => `private-user.${n}`)
  expect(new Set(topics.map((topic) => bus.streamOf(topic))).size).toBe(count)
  await bus.close()
})

test('processes that use different numbers of streams log an error, because they miss messages', async () => {
  const errors: string[] = []
  const logTo = (name: string) =>
    ({ ...log, error: () => errors.push(name) }) as unknown as Parameters<typeof createRedisBus>[1]
  const redis = createPublishingRedis()
  const here = await createRedisBus(redis, logTo('here'))
  const same = await createRedisBus(redis, log)
  for (const bus of [here, same])
    bus.listen({ onMessage() {}, onHello() {}, onMissed() {}, onProcessGone() {} })
  expect(errors).toEqual([])
  const there = await createRedisBus({ ...redis, isCluster: true }, logTo('there'))
  there.listen({ onMessage() {}, onHello() {}, onMissed() {}, onProcessGone() {} })
  expect(new Set(errors)).toEqual(new Set(['here', 'there']))
  for (const bus of [here, same, there]) await bus.close()
})

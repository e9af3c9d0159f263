import { expect, onTestFinished, test, vi } from 'vitest'
import { createRedisProcessBus } from '#core/realtime/redis-bus.ts'
import type { Redis } from '#core/redis.ts'

/** Creates a Redis in memory that only publishes. */
function createPublishingRedis(): Redis {
  const subscribers = new Map<string, Set<(message: string, channel: string) => void>>()
  return {
    keyPrefix: 'test',
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

test('a process that has said that it ends does not come back with the events of its last requests', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const redis = createPublishingRedis()
  const log = { warn() {}, info() {}, error() {} } as unknown as Parameters<typeof createRedisProcessBus>[1]
  const [here, there] = [await createRedisProcessBus(redis, log), await createRedisProcessBus(redis, log)]
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

import { randomUUID } from 'node:crypto'
import { type ChannelCount, type ChannelSelector, GLOBAL_TOPIC, type ProcessBus } from '#core/realtime/bus.ts'

/** Milliseconds for the answers of other processes. */
const TIMEOUT = 1000

type Counts = readonly ChannelCount[]

/** Each process answers with its own `countHere`. */
export function createCounter(bus: ProcessBus, countHere: (selector: ChannelSelector) => Counts) {
  const requests = new Map<string, (process: string, counts: Counts) => void>()
  return {
    /** Leaves out channels without subscriptions, and processes that do not answer in time. */
    async count(selector: ChannelSelector): Promise<ReadonlyMap<string, number>> {
      const sums = new Map(countHere(selector))
      const waiting = new Set(bus.otherProcesses())
      if (!waiting.size) return sums
      const request = randomUUID()
      const { promise, resolve } = Promise.withResolvers<void>()
      requests.set(request, (process, counts) => {
        if (waiting.delete(process))
          for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
        if (!waiting.size) resolve()
      })
      void bus.publish(GLOBAL_TOPIC, { kind: 'count', request, selector })
      const timer = setTimeout(resolve, TIMEOUT)
      await promise
      clearTimeout(timer)
      requests.delete(request)
      return sums
    },
    answer: (request: string, selector: ChannelSelector) =>
      void bus.publish(GLOBAL_TOPIC, { kind: 'counts', request, counts: countHere(selector) }),
    onCounts: (request: string, process: string, counts: Counts) => requests.get(request)?.(process, counts),
  }
}
export type Counter = ReturnType<typeof createCounter>

import { randomUUID } from 'node:crypto'
import { type Bus, type ChannelSelector, NO_CHANNEL, type SubscriptionCount } from '#core/realtime/bus.ts'

/** Milliseconds that the other processes have for their answers. */
const TIMEOUT = 1000

type Counts = readonly SubscriptionCount[]

/** Counts subscriptions in all processes: each answers for itself, with `countHere`. */
export function createSubscriptionCounter(bus: Bus, countHere: (selector: ChannelSelector) => Counts) {
  const requests = new Map<string, (process: string, counts: Counts) => void>()
  return {
    /** Resolves to the sums. Leaves out processes that do not answer in time. */
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
      void bus.publish(NO_CHANNEL, { kind: 'count', request, selector })
      const timer = setTimeout(resolve, TIMEOUT)
      await promise
      clearTimeout(timer)
      requests.delete(request)
      return sums
    },
    /** Another process asks. */
    answer: (request: string, selector: ChannelSelector) =>
      void bus.publish(NO_CHANNEL, { kind: 'counts', request, counts: countHere(selector) }),
    /** Another process has answered. */
    onCounts: (request: string, process: string, counts: Counts) => requests.get(request)?.(process, counts),
  }
}
export type SubscriptionCounter = ReturnType<typeof createSubscriptionCounter>

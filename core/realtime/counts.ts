import { randomUUID } from 'node:crypto'
import {
  type ChannelNamesOrPrefix,
  type ChannelSubscriptionCount,
  GLOBAL_PROCESS_BUS_TOPIC,
  type ProcessBus,
} from '#core/realtime/bus.ts'

/** The time in ms for which a count waits for the answers of other processes. */
const TIMEOUT = 1000

type Counts = readonly ChannelSubscriptionCount[]

/**
 * Creates a counter of the subscriptions in all processes. Each process answers with the result of its own
 * `countHere`.
 */
export function createCrossProcessSubscriptionCounter(
  bus: ProcessBus,
  countHere: (selector: ChannelNamesOrPrefix) => Counts,
) {
  const requests = new Map<string, (process: string, counts: Counts) => void>()
  return {
    /**
     * Resolves to the number of subscriptions, in all processes, to each selected channel that has any.
     * Leaves out processes that do not answer in time.
     */
    async count(selector: ChannelNamesOrPrefix): Promise<ReadonlyMap<string, number>> {
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
      void bus.publish(GLOBAL_PROCESS_BUS_TOPIC, { kind: 'count', request, selector })
      const timer = setTimeout(resolve, TIMEOUT)
      await promise
      clearTimeout(timer)
      requests.delete(request)
      return sums
    },
    /** Answers the count request of another process with the counts of this process. */
    answer: (request: string, selector: ChannelNamesOrPrefix) =>
      void bus.publish(GLOBAL_PROCESS_BUS_TOPIC, { kind: 'counts', request, counts: countHere(selector) }),
    /** Adds the counts that another process has answered to the sums of the request. */
    onCounts: (request: string, process: string, counts: Counts) => requests.get(request)?.(process, counts),
  }
}
export type CrossProcessSubscriptionCounter = ReturnType<typeof createCrossProcessSubscriptionCounter>

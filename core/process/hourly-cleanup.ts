import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

const HOUR = 3600_000

/**
 * Runs `cleanUp` now and every hour, except while an earlier run still runs. If it fails, logs `warning`, and
 * tries again an hour later. `close` ends the timer, aborts the signal that `cleanUp` gets, and resolves once
 * the running clean-up has ended.
 */
export function startHourly(
  { log }: { log: Pick<FastifyBaseLogger, 'warn'> },
  cleanUp: (signal: AbortSignal) => Promise<unknown>,
  warning: string,
) {
  const stopping = new AbortController()
  let running: Promise<unknown> | null = null
  const run = () => {
    running ??= cleanUp(stopping.signal)
      .catch((error: unknown) => log.warn({ err: error }, warning))
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(run, HOUR).unref()
  run()
  return {
    async close() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/**
 * The pause after a batch, as a multiple of the time that the batch took; at least `min` and at most `max`
 * milliseconds. So one repeated deletion takes about a quarter of the database's time. Several deletions at
 * once take more.
 */
const PAUSE = { factor: 3, min: 5, max: 1000 }

/**
 * Calls `runBatch` until it returns false, which means that nothing is left, or until `signal` is aborted.
 * Pauses after each batch, because SQLite runs one statement at a time: without pauses, each request would
 * wait for a batch.
 */
export async function repeatWithPauses(runBatch: () => Promise<boolean>, signal?: AbortSignal) {
  while (!signal?.aborted) {
    const start = performance.now()
    if (!(await runBatch())) return
    const pause = Math.min(Math.max((performance.now() - start) * PAUSE.factor, PAUSE.min), PAUSE.max)
    // Ends the pause early if the signal is aborted.
    await sleep(pause, undefined, signal && { signal }).catch(() => {})
  }
}

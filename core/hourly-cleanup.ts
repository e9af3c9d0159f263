import type { FastifyBaseLogger } from 'fastify'

const HOUR = 3600_000

/**
 * Runs `cleanUp` now and every hour, except while an earlier run still runs. If it fails, logs `warning`, and
 * tries again an hour later. `close` ends the timer, and resolves once the running clean-up has ended.
 */
export function startHourlyCleanup(
  { log }: { log: Pick<FastifyBaseLogger, 'warn'> },
  cleanUp: () => Promise<unknown>,
  warning: string,
) {
  let running: Promise<unknown> | null = null
  const run = () => {
    running ??= cleanUp()
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
      await running
    },
  }
}

import type { FastifyBaseLogger } from 'fastify'

type Log = Pick<FastifyBaseLogger, 'error' | 'warn'>

/** The time in ms after which a failure that goes on is logged again, and one that has stopped is over. */
const INTERVAL = 60_000

/**
 * Creates the log of what fails many times at once, such as the database or the disk: a line with the error when
 * it begins, one with a count each minute, and one when a minute has passed without it.
 */
export function createFailures() {
  /** How often it has failed since the last line, by the message of the failure. */
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  function summarise(log: Log) {
    for (const [message, count] of counts)
      if (count > 0) {
        counts.set(message, 0)
        log.error({ count }, `Still failing: ${message}`)
      } else {
        counts.delete(message)
        log.warn(`No longer failing: ${message}`)
      }
    if (counts.size === 0) stop()
  }
  function stop() {
    clearInterval(timer)
    timer = undefined
  }
  return {
    add(log: Log, message: string, details: { err: unknown; id?: string }) {
      timer ??= setInterval(summarise, INTERVAL, log).unref()
      const count = counts.get(message)
      counts.set(message, count === undefined ? 0 : count + 1)
      if (count === undefined) log.error(details, message)
    },
    stop,
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AttemptOptions, giveBack, runJob, STOPPED } from './attempts.ts'
import { startCleanup } from './history.ts'
import { onEnqueued } from './jobs.ts'
import { type Claims, claim, type Job, nextRunAt } from './leases.ts'

const MINUTE = 60_000
const defaults = {
  /** RFC 5321 (4.5.4.1) asks mail for growing waits, and for giving up after days. */
  waits: [1, 5, 15, 60, 180, 360, 720, 1440, 1440].map((minutes) => minutes * MINUTE),
  lease: 5 * MINUTE,
  timeLimit: 2 * MINUTE,
}
/** Jobs that one process runs at once. */
const CONCURRENCY = 4
/** A process looks for due jobs at least this often, ms: another one may have added them, or have died with them. */
const POLL = MINUTE
/** How long a stop waits for the running jobs, and then for the database, ms. */
const STOP = { jobs: 4000, database: 1000 }

export interface Jobs {
  /** Looks for due jobs now. */
  wake(): void
  /** Resolves when no job runs and none is due. */
  settled(): Promise<void>
  /** Lets the running jobs finish for some seconds, and gives the others back. */
  close(): Promise<void>
}

type JobsOptions = Pick<AttemptOptions, 'db' | 'log' | 'handlers'> & Partial<AttemptOptions>

/**
 * Runs the due jobs of the `jobs` table. Several processes may share the table: a job that one of them has taken (its lease) is
 * not taken by another. A lease ends some minutes after its process was killed, and the job runs again.
 */
export function startJobs(given: JobsOptions): Jobs {
  const options = { ...defaults, ...given }
  const { db, log, waits, lease } = options
  const longestWait = Math.max(0, ...waits)
  const runner = randomUUID()
  const kinds = Object.keys(options.handlers)
  const running = new Map<number, { controller: AbortController; done: Promise<void> }>()
  let looking: Promise<void> | null = null
  let lookAgain = false
  let stopping = false
  let timer: NodeJS.Timeout | undefined

  function wake() {
    if (stopping) return
    clearTimeout(timer)
    lookAgain = looking !== null
    looking ??= look()
      .catch((error: unknown) => {
        log.error({ err: error }, 'The jobs could not be read')
        return POLL
      })
      .then((delay) => {
        looking = null
        if (lookAgain) wake()
        else if (!stopping) timer = setTimeout(wake, delay).unref()
      })
  }

  /** Starts due jobs. Returns when to look again, in ms. */
  async function look() {
    while (!stopping && running.size < CONCURRENCY) {
      const job = await claim(db, claims())
      if (!job) break
      if (stopping) await giveBack(db, runner, job)
      else start(job)
    }
    if (running.size === CONCURRENCY) return POLL // the end of a job wakes
    const next = await nextRunAt(db, claims())
    // A job that is due and could not be taken is being taken by another process.
    return next ? Math.min(Math.max(Date.parse(next) - Date.now(), 10), POLL) : POLL
  }

  const claims = (): Claims => ({ runner, kinds, running: [...running.keys()], lease, longestWait })

  function start(job: Job) {
    const controller = new AbortController()
    const done = runJob(job, runner, controller, options)
      .catch((error: unknown) => log.error({ err: error, job: job.id }, 'The end of a job was not recorded'))
      .finally(() => {
        running.delete(job.id)
        wake()
      })
    running.set(job.id, { controller, done })
  }

  const allDone = () => Promise.all(Array.from(running.values(), ({ done }) => done))

  const stopCleanup = startCleanup(db, log)
  const stopListening = onEnqueued(wake)
  wake()
  return {
    wake,
    async settled() {
      while (looking || running.size) await Promise.all([looking, allDone()])
    },
    async close() {
      stopping = true
      stopListening()
      clearTimeout(timer)
      const done = Promise.all([looking, stopCleanup(), allDone()])
      await Promise.race([done, sleep(STOP.jobs, undefined, { ref: false })])
      for (const { controller } of running.values()) controller.abort(STOPPED)
      await Promise.race([done, sleep(STOP.database, undefined, { ref: false })])
    },
  }
}

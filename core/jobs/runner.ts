import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Db, now } from '#core/database/database.ts'
import { type JobKinds, onEnqueued, startCleanup } from './jobs.ts'
import { type Claims, changeLeased, claim, type Job, later, nextRunAt } from './leases.ts'

export interface JobContext {
  /**
   * The same in every attempt. Together with `createdAt` it is an idempotency key: a restored database may
   * give an id again.
   */
  id: number
  createdAt: string
  /** Aborted when the time limit is over, when the lease is lost and when the process stops. */
  signal: AbortSignal
}
export type JobHandler<Kind extends keyof JobKinds> = (
  payload: JobKinds[Kind],
  job: JobContext,
) => Promise<unknown>
export type JobHandlers = { [Kind in keyof JobKinds]: JobHandler<Kind> }

/** A handler throws this when another attempt would fail as well. */
export class PermanentFailure extends Error {}

interface RunnerOptions {
  db: Db
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Jobs of other kinds are left alone: a process of a newer version may know them. */
  handlers: Partial<JobHandlers>
  /** Waits after each failed attempt but the last, ms. */
  waits: readonly number[]
  /** How long a lease is, ms. It is renewed as long as the handler runs. */
  lease: number
  /** How long an attempt may take, ms. */
  timeLimit: number
}

const MINUTE = 60_000
const defaults = {
  /** RFC 5321 (4.5.4.1) asks mail for growing waits, and for giving up after days. */
  waits: [1, 5, 15, 60, 180, 360, 720, 1440, 1440].map((minutes) => minutes * MINUTE),
  lease: 5 * MINUTE,
  timeLimit: 2 * MINUTE,
}
/** Jobs that one process runs at once. */
const CONCURRENCY = 4
/**
 * A process looks for due jobs at least this often, ms: another process may have added them, or have died
 * while it ran them.
 */
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

type JobsOptions = Pick<RunnerOptions, 'db' | 'log' | 'handlers'> & Partial<RunnerOptions>

/**
 * Runs the due jobs of the `jobs` table. Several processes may share the table: a job that one of them has
 * taken (its lease) is not taken by another. A lease ends some minutes after its process was killed, and the
 * job runs again.
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

/** The reason of an abort when the process stops: the attempt does not count. */
const STOPPED = new Error('The process stops')
const LEASE_LOST = new Error('The lease was lost')
/** A job that has ended keeps no payload: it may hold addresses and secret links. */
const ended = { payload: null, leased_by: null }

/** Runs the handler of a job that `runner` has taken, and records the result. Throws errors of the database. */
async function runJob(job: Job, runner: string, controller: AbortController, options: RunnerOptions) {
  const { db, log } = options
  const change = (what: Parameters<typeof changeLeased>[3]) => changeLeased(db, runner, job.id, what)
  const facts = { job: job.id, kind: job.kind, attempts: job.attempts }
  const error = await withLease(job, controller, change, options)
  if (error === null) {
    await change({ ...ended, finished_at: now(), last_error: null })
    log.info(facts, 'Job finished')
  } else if (error === STOPPED) await giveBack(db, runner, job)
  else if (error === LEASE_LOST) log.warn(facts, 'Another process has taken a running job')
  else {
    const wait = error instanceof PermanentFailure ? undefined : options.waits[job.attempts - 1]
    const reason = reasonOf(error)
    const next =
      wait === undefined ? { ...ended, failed_at: now() } : { leased_by: null, run_at: later(wait) }
    await change({ ...next, last_error: reason })
    log.warn({ ...facts, reason, givenUp: wait === undefined }, 'Job failed')
  }
}

/** Makes a job that was taken due again, as if it had not been taken. */
const giveBack = (db: Db, runner: string, { id, attempts }: Job) =>
  changeLeased(db, runner, id, { run_at: now(), leased_by: null, attempts: attempts - 1 })

/** Runs the handler, within the time limit and with the lease renewed. Returns why it failed, else null. */
async function withLease(
  job: Job,
  controller: AbortController,
  change: (what: { run_at: string }) => Promise<boolean>,
  { log, handlers, waits, lease, timeLimit }: RunnerOptions,
): Promise<unknown> {
  const { signal } = controller
  const limit = setTimeout(() => controller.abort(new Error(`More than ${timeLimit} ms`)), timeLimit)
  const renewal = setInterval(async () => {
    try {
      if (!(await change({ run_at: later(lease) }))) controller.abort(LEASE_LOST)
    } catch (error) {
      log.warn({ err: error, job: job.id }, 'A lease could not be renewed')
    }
  }, lease / 3)
  try {
    // A job that takes its process down with it never gets as far as to fail.
    if (job.attempts > waits.length + 1) throw new PermanentFailure('Every attempt was broken off')
    await Promise.race([handle(job, signal, handlers), rejectOnAbort(signal)])
    return null
  } catch (error) {
    return signal.aborted ? signal.reason : (error ?? new Error('No reason was given'))
  } finally {
    clearTimeout(limit)
    clearInterval(renewal)
  }
}

async function handle(
  { id, kind, payload, created_at }: Job,
  signal: AbortSignal,
  handlers: Partial<JobHandlers>,
) {
  const handler = handlers[kind as keyof JobKinds] as JobHandler<never>
  await handler(JSON.parse(payload!) as never, { id, createdAt: created_at, signal })
}

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** An error in short, for the table and the log: neither may hold addresses or links. */
const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .replace(/\S+@\S+/g, '(address)')
    .replace(/\w+:\/\/\S+/g, '(link)')
    .slice(0, 300)

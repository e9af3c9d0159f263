import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Db, isoNow } from '#core/database/database.ts'
import { createFailures } from '#core/process/failures.ts'
import { reasonOf } from './failure-reason.ts'
import { type JobPayloads, onEnqueued, startJobCleanup } from './jobs.ts'
import {
  type ClaimedJob,
  type ClaimOptions,
  claimDueJob,
  isoTimeFromNow,
  nextRunTime,
  updateLeased,
} from './leases.ts'
import { JobPostponed } from './postponed.ts'

export interface RunningJob {
  /**
   * The id of the job, which is the same in every attempt. An idempotency key needs `createdAt` too, because
   * a restored database may give an id again.
   */
  id: number
  createdAt: string
  /**
   * The signal that is aborted when the time limit is over, when the lease is lost, and when the process
   * stops.
   */
  signal: AbortSignal
}
export type JobHandler<Kind extends keyof JobPayloads> = (
  payload: JobPayloads[Kind],
  job: RunningJob,
) => Promise<unknown>
export type JobHandlers = { [Kind in keyof JobPayloads]: JobHandler<Kind> }

/** The error that a handler throws when another attempt would fail as well. The job is not tried again. */
export class PermanentFailure extends Error {}

/**
 * The error that a handler throws when an attempt makes sense only after `delay` ms. The next attempt comes
 * then, but not earlier than after an ordinary error, and not later than after the longest delay of the
 * runner.
 */
export class RetryLater extends Error {
  readonly delay: number
  constructor(message: string, delay: number) {
    super(message)
    this.delay = delay
  }
}

interface RunnerOptions {
  db: Db
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /**
   * The handlers by kind of job. The runner takes no jobs of other kinds, because a process of a newer
   * version may handle them.
   */
  handlers: Partial<JobHandlers>
  /** The kinds of jobs whose payload stays after a failure, so that somebody can send them again. */
  keptAfterFailure?: readonly (keyof JobPayloads)[]
  /** The delays between the attempts, in ms. A job has one attempt more than there are delays. */
  retryDelays: readonly number[]
  /** The length of a lease, in ms. The lease is renewed as long as the handler runs. */
  lease: number
  /** The maximum time of an attempt, in ms. */
  attemptTimeout: number
  concurrency: number
  /**
   * How many of the jobs that run at the same time may have had an attempt before, so that many failing jobs
   * do not hold up new ones. By default all.
   */
  retryConcurrency?: number
  /**
   * How often to look for jobs that another process has added, such as the command line, in ms. By default
   * only every `POLL_INTERVAL`.
   */
  lookInterval?: number
}

const MINUTE = 60_000
const defaults = {
  /** The default delays grow and end after three days, as RFC 5321 (4.5.4.1) asks for mail. */
  retryDelays: [1, 5, 15, 60, 180, 360, 720, 1440, 1440].map((minutes) => minutes * MINUTE),
  lease: 5 * MINUTE,
  attemptTimeout: 2 * MINUTE,
  concurrency: 4,
}
/**
 * The longest time in ms between two searches for due jobs. Another process may have added jobs, or may have
 * died while it ran them.
 */
const POLL_INTERVAL = MINUTE
/** How long a stop waits, in ms: first for the running jobs, then for the database. */
const STOP_TIMEOUTS = { jobs: 4000, database: 1000 }

export interface JobRunner {
  wake(): void
  /** Resolves when no job runs and none is due. */
  idle(): Promise<void>
  /** Waits some seconds for the running jobs to finish, and releases the unfinished ones. */
  close(): Promise<void>
}

type JobsOptions = Pick<RunnerOptions, 'db' | 'log' | 'handlers'> & Partial<RunnerOptions>

/**
 * Runs the due jobs of the `jobs` table. Several processes may share the table: while a process has the
 * lease of a job, no other process takes that job. After a process is killed, its leases end within some
 * minutes, and another process runs its jobs again.
 */
export function startJobRunner(overrides: JobsOptions): JobRunner {
  const options = { ...defaults, ...overrides }
  const { db, log, retryDelays, lease, concurrency, retryConcurrency = concurrency } = options
  const maxDelay = Math.max(0, ...retryDelays)
  const runner = randomUUID()
  const kinds = Object.keys(options.handlers)
  const running = new Map<number, { controller: AbortController; done: Promise<void>; isRetry: boolean }>()
  let polling: Promise<void> | null = null
  let pollAgain = false
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  const failures = createFailures()

  function wake() {
    if (stopping) return
    clearTimeout(timer)
    pollAgain = polling !== null
    polling ??= poll()
      .catch((error: unknown) => {
        failures.add(log, 'The jobs could not be read', { err: error })
        return POLL_INTERVAL
      })
      .then((delay) => {
        polling = null
        if (pollAgain) wake()
        else if (!stopping) timer = setTimeout(wake, delay).unref()
      })
  }

  /** Starts due jobs. Returns the delay until the next search for due jobs, in ms. */
  async function poll() {
    while (!stopping && running.size < concurrency) {
      const job = await claimDueJob(db, claims())
      if (!job) break
      if (stopping) await releaseJob(db, runner, job)
      else start(job)
    }
    // Does not ask for the time of the next due job while no more jobs can start: wake() runs when a running
    // job ends.
    if (running.size === concurrency) return POLL_INTERVAL
    return toPollDelay(await nextRunTime(db, claims(), POLL_INTERVAL))
  }

  function claims(): ClaimOptions {
    const retries = [...running.values()].filter(({ isRetry }) => isRetry)
    const mayRetry = retries.length < retryConcurrency
    return { runner, kinds, running: [...running.keys()], mayRetry, lease, maxDelay }
  }

  function start(job: ClaimedJob) {
    const controller = new AbortController()
    const done = runJob(job, runner, controller, options)
      .catch((error: unknown) => log.error({ err: error, job: job.id }, 'The end of a job was not recorded'))
      .finally(() => {
        running.delete(job.id)
        wake()
      })
    running.set(job.id, { controller, done, isRetry: job.attempts > 1 })
  }

  const allDone = () => Promise.all(Array.from(running.values(), ({ done }) => done))

  async function look() {
    const next = polling || stopping ? undefined : await nextRunTime(db, claims(), 0)
    if (next) wake()
  }
  // Ignores an error of the database, which the next search by wake() reports.
  const looking =
    options.lookInterval && setInterval(() => look().catch(() => {}), options.lookInterval).unref()

  const stopCleanup = startJobCleanup(db, log)
  const stopListening = onEnqueued(wake)
  wake()
  return {
    wake,
    async idle() {
      while (polling || running.size) await Promise.all([polling, allDone()])
    },
    async close() {
      stopping = true
      failures.stop()
      stopListening()
      clearTimeout(timer)
      if (looking) clearInterval(looking)
      const done = Promise.all([polling, stopCleanup(), allDone()])
      await Promise.race([done, sleep(STOP_TIMEOUTS.jobs, undefined, { ref: false })])
      for (const { controller } of running.values()) controller.abort(STOPPED)
      await Promise.race([done, sleep(STOP_TIMEOUTS.database, undefined, { ref: false })])
    },
  }
}

/**
 * Returns the delay in ms until the next search for due jobs: at most `POLL_INTERVAL`. It is at least 10 ms,
 * also if a job is due already: that job was not claimed, so another process is claiming it.
 */
function toPollDelay(next: string | null | undefined) {
  return next ? Math.min(Math.max(Date.parse(next) - Date.now(), 10), POLL_INTERVAL) : POLL_INTERVAL
}

/** The error with which the attempts are aborted when the process stops. Such an attempt does not count. */
const STOPPED = new Error('The process stops')
const LEASE_LOST = new Error('The lease was lost')
/**
 * The values that clear columns when a job has ended, because a payload may hold addresses and secret links.
 */
const clearedFields = { payload: null, leased_by: null }

/** Runs the handler of a claimed job, and records the result. Throws errors of the database. */
async function runJob(job: ClaimedJob, runner: string, controller: AbortController, options: RunnerOptions) {
  const { db, log } = options
  const change = (what: Parameters<typeof updateLeased>[3]) => updateLeased(db, runner, job.id, what)
  const facts = { job: job.id, kind: job.kind, attempts: job.attempts }
  const error = await withLease(job, controller, change, options)
  if (error === null) {
    await change({ ...clearedFields, finished_at: isoNow(), last_error: null })
    log.info(facts, 'Job finished')
  } else if (error === STOPPED) await releaseJob(db, runner, job)
  else if (error instanceof JobPostponed) await releaseJob(db, runner, job, error.delay)
  else if (error === LEASE_LOST) log.warn(facts, 'Another process has taken a running job')
  else {
    const wait = delayUntilNext(error, job, options)
    const reason = reasonOf(error)
    const next =
      wait === undefined
        ? { ...(isKept(job, options) ? { leased_by: null } : clearedFields), failed_at: isoNow() }
        : { leased_by: null, run_at: isoTimeFromNow(wait) }
    await change({ ...next, last_error: reason })
    log.warn({ ...facts, reason, givenUp: wait === undefined }, 'Job failed')
  }
}

const isKept = ({ kind }: ClaimedJob, { keptAfterFailure = [] }: RunnerOptions) =>
  (keptAfterFailure as readonly string[]).includes(kind)

/** Returns the delay until the next attempt in ms; undefined if the job fails for good. */
function delayUntilNext(error: unknown, { attempts }: ClaimedJob, { retryDelays }: RunnerOptions) {
  const wait = error instanceof PermanentFailure ? undefined : retryDelays[attempts - 1]
  if (wait === undefined || !(error instanceof RetryLater)) return wait
  return Math.min(Math.max(wait, error.delay), Math.max(...retryDelays))
}

/** Makes a claimed job due again after `delay` ms, and does not count the attempt. */
const releaseJob = (db: Db, runner: string, { id, attempts }: ClaimedJob, delay = 0) =>
  updateLeased(db, runner, id, { run_at: isoTimeFromNow(delay), leased_by: null, attempts: attempts - 1 })

/**
 * Runs the handler within the time limit, and renews the lease meanwhile. Returns null after a success;
 * otherwise the error, or the reason of the abort.
 */
async function withLease(
  job: ClaimedJob,
  controller: AbortController,
  change: (what: { run_at: string }) => Promise<boolean>,
  { log, handlers, retryDelays, lease, attemptTimeout }: RunnerOptions,
): Promise<unknown> {
  const { signal } = controller
  const limit = setTimeout(
    () => controller.abort(new Error(`More than ${attemptTimeout} ms`)),
    attemptTimeout,
  )
  const renewal = setInterval(async () => {
    try {
      if (!(await change({ run_at: isoTimeFromNow(lease) }))) controller.abort(LEASE_LOST)
    } catch (error) {
      log.warn({ err: error, job: job.id }, 'A lease could not be renewed')
    }
  }, lease / 3)
  try {
    // A job that crashes its process never reaches the code that records a failure. So such a job fails here,
    // before another attempt.
    if (job.attempts > retryDelays.length + 1) throw new PermanentFailure('Every attempt was broken off')
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
  { id, kind, payload, created_at }: ClaimedJob,
  signal: AbortSignal,
  handlers: Partial<JobHandlers>,
) {
  const handler = handlers[kind as keyof JobPayloads] as JobHandler<never>
  await handler(JSON.parse(payload!) as never, { id, createdAt: created_at, signal })
}

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

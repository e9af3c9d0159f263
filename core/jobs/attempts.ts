import type { FastifyBaseLogger } from 'fastify'
import { type Db, now } from '#core/database/database.ts'
import type { JobKinds } from './jobs.ts'
import { changeLeased, type Job, later } from './leases.ts'

export interface JobContext {
  /** The same in every attempt: with `createdAt` (a restored database may give an id again) it is an idempotency key. */
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

/** A handler throws this where another attempt would fail as well. */
export class PermanentFailure extends Error {}

export interface AttemptOptions {
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

/** The reason of an abort when the process stops: the attempt does not count. */
export const STOPPED = new Error('The process stops')
const LEASE_LOST = new Error('The lease was lost')
/** A job that has ended keeps no payload: it may hold addresses and secret links. */
const ended = { payload: null, leased_by: null }

/** Runs the handler of a job that `runner` has taken, and records what came of it. Throws what the database throws. */
export async function runJob(job: Job, runner: string, controller: AbortController, options: AttemptOptions) {
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
export const giveBack = (db: Db, runner: string, { id, attempts }: Job) =>
  changeLeased(db, runner, id, { run_at: now(), leased_by: null, attempts: attempts - 1 })

/** Runs the handler, within the time limit and with the lease renewed. Returns why it failed, else null. */
async function withLease(
  job: Job,
  controller: AbortController,
  change: (what: { run_at: string }) => Promise<boolean>,
  { log, handlers, waits, lease, timeLimit }: AttemptOptions,
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

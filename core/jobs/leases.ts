import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { type Db, isoNow, isPostgres } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { type JobTables, unfinishedJobs } from './jobs.ts'

/**
 * The options of `claimDueJob`. The runner may take the jobs of `kinds`, except those with the ids in
 * `running`, which it runs already.
 */
export interface ClaimOptions {
  runner: string
  kinds: readonly string[]
  running: readonly number[]
  /** Whether the runner may take jobs that have had at least one attempt. */
  mayRetry: boolean
  /** The length of a lease, in ms. */
  lease: number
  /** The longest wait between two attempts, in ms. */
  maxDelay: number
}

export type ClaimedJob = NonNullable<Awaited<ReturnType<typeof claimDueJob>>>

type Condition = (q: ExpressionBuilder<JobTables, 'jobs'>) => Expression<SqlBool>

/**
 * Takes the job that has been due for the longest time, and returns it; undefined if no job is due. At the
 * end of its lease the job becomes due again. Reads none of those that wait for a later time.
 */
export async function claimDueJob(db: Db, claims: ClaimOptions) {
  const due = await claim(db, claims, (q) => q('run_at', '<=', isoNow()))
  return due ?? claim(db, claims, wasWrittenAhead(claims))
}

const claim = (db: Db, claims: ClaimOptions, condition: Condition) =>
  transaction(db, (tx) =>
    tx
      .updateTable('jobs')
      .set((q) => ({
        attempts: q('attempts', '+', 1),
        leased_by: claims.runner,
        run_at: isoTimeFromNow(claims.lease),
      }))
      .where('id', '=', earliest(tx, claims, condition))
      .returning(['id', 'kind', 'payload', 'created_at', 'attempts'])
      .executeTakeFirst(),
  )

/**
 * Longer than a claim can wait for a connection after its times were computed, in ms. Leases that others take
 * meanwhile are later than its own.
 */
const MAX_AGE = 60_000

/**
 * A job whose `run_at` is later than the longest delay allows: the clock was ahead when `run_at` was written.
 * A job that was added with a `runAt` and has had no attempt keeps its time.
 */
const wasWrittenAhead =
  ({ maxDelay, lease }: ClaimOptions): Condition =>
  (q) =>
    // As in the index `jobs_ahead`.
    q('run_at', '>', isoTimeFromNow(maxDelay + lease + MAX_AGE)).and(
      sql<boolean>`(attempts > 0 or run_at = created_at)`,
    )

const earliest = (tx: Db, claims: ClaimOptions, condition: Condition) =>
  candidates(tx, claims)
    .where(condition)
    .select('id')
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
    // On PostgreSQL, skips jobs that another process is claiming. SQLite runs one transaction at a time,
    // so no other process can be claiming a job.
    .$if(isPostgres(tx), (q) => q.forUpdate().skipLocked())

const candidates = (db: Db, { kinds, running, mayRetry }: ClaimOptions) =>
  unfinishedJobs(db)
    .where('kind', 'in', kinds)
    .$if(!mayRetry, (q) => q.where('attempts', '=', 0))
    .$if(running.length > 0, (q) => q.where('id', 'not in', running))

/** Returns the earliest time within `ms` at which a job is due or its lease ends; undefined if there is none. */
export async function nextRunTime(db: Db, claims: ClaimOptions, ms: number) {
  const soon = candidates(db, claims).where('run_at', '<=', isoTimeFromNow(ms))
  return (await soon.select('run_at').orderBy('run_at').limit(1).executeTakeFirst())?.run_at
}

interface Change {
  run_at?: string
  attempts?: number
  last_error?: string | null
  finished_at?: string
  failed_at?: string
  leased_by?: null
  payload?: null
}
/** Updates a job if the runner still has the lease of the job. Returns whether the runner had the lease. */
export const updateLeased = (db: Db, runner: string, id: number, change: Change) =>
  transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set(change)
      .where('id', '=', id)
      .where('leased_by', '=', runner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })

export const isoTimeFromNow = (ms: number) => new Date(Date.now() + ms).toISOString()

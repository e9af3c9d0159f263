import type { FastifyBaseLogger } from 'fastify'
import { type ExpressionBuilder, type Generated, sql } from 'kysely'
import { type Db, hasMatchingRow, isoNow, type Migrations, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'

/**
 * The kinds of jobs, each with its payload (plain JSON). A module adds its kinds by declaration merging, so
 * `enqueueJob` with an unknown kind or a wrong payload does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declaration merging fills it
export interface JobPayloads {}

export interface JobTables {
  /**
   * The table of jobs, with one row for each job: a task that may fail or wait. The row stays for some days
   * after the job has ended.
   */
  jobs: {
    id: Generated<number>
    kind: string
    /**
     * The payload as JSON; null once the job has ended, so that no mail address and no link stays in the
     * table. A mail that was given up keeps it for `FAILED_RETENTION`.
     */
    payload: string | null
    created_at: string
    /**
     * The time at which the job is due. During an attempt, the end of the lease, after which another process
     * may take the job.
     */
    run_at: string
    /** The number of attempts that have begun, without those that ended because the process stopped. */
    attempts: Generated<number>
    /** The id of the job runner that has the lease of the job; null if none has. */
    leased_by: string | null
    /** The reason why the last attempt failed, in short, without addresses and links. */
    last_error: string | null
    finished_at: string | null
    /** The time at which the job failed for good, which means that it is not tried again; otherwise null. */
    failed_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends JobTables {}
}

export const jobMigrations: Migrations = {
  'jobs 1': ({ id }) => [
    `create table jobs (
      id ${id}, kind text not null, payload text, created_at text not null, run_at text not null,
      attempts integer not null default 0, leased_by text, last_error text, finished_at text,
      failed_at text)`,
    'create index jobs_due on jobs (run_at) where finished_at is null and failed_at is null',
    'create index jobs_finished on jobs (finished_at) where finished_at is not null',
    'create index jobs_failed on jobs (failed_at) where failed_at is not null',
  ],
  'jobs 2': () => [
    `create index jobs_ahead on jobs (run_at)
      where finished_at is null and failed_at is null and (attempts > 0 or run_at = created_at)`,
  ],
}

const listeners = new Set<() => void>()

/**
 * Calls `listener` after each commit of this process that adds jobs. Returns a function that removes the
 * listener.
 */
export function onEnqueued(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function callListeners() {
  for (const listener of listeners) listener()
}

/**
 * Adds a job in the transaction of the change that it belongs to, and returns its id. The job runs after the
 * commit, at `runAt` or at once. It may run twice if a process is killed, so its handler must allow that (see
 * `RunningJob.id`).
 */
export async function enqueueJob<Kind extends keyof JobPayloads>(
  tx: Tx,
  kind: Kind,
  payload: JobPayloads[Kind],
  { runAt }: { runAt?: Date } = {},
) {
  const created_at = isoNow()
  const run_at = runAt?.toISOString() ?? created_at
  const { id } = await tx
    .insertInto('jobs')
    .values({ kind, payload: JSON.stringify(payload), created_at, run_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  tx.afterCommit(callListeners)
  return id
}

const INSERT_BATCH = 500

/** Adds a job for each payload, as `enqueueJob` does, with one statement for each `INSERT_BATCH` jobs. */
export async function enqueueJobs<Kind extends keyof JobPayloads>(
  tx: Tx,
  kind: Kind,
  payloads: readonly JobPayloads[Kind][],
) {
  if (!payloads.length) return
  const created_at = isoNow()
  const rows = payloads.map((payload) => ({
    kind,
    payload: JSON.stringify(payload),
    created_at,
    run_at: created_at,
  }))
  for (let at = 0; at < rows.length; at += INSERT_BATCH)
    await tx
      .insertInto('jobs')
      .values(rows.slice(at, at + INSERT_BATCH))
      .execute()
  tx.afterCommit(callListeners)
}

/**
 * Adds a job, unless a job of this kind waits already. The new job runs at once, or `interval` ms after the
 * last job of the kind has succeeded; if a job of the kind runs now, `interval` ms from now. The handler
 * must do the work of all calls since its last run. Callers must hold a lock, so that two of them do not
 * add two jobs.
 */
export async function enqueueThrottled<Kind extends keyof JobPayloads>(
  tx: Tx,
  kind: Kind,
  payload: JobPayloads[Kind],
  interval: number,
) {
  const unfinished = await unfinishedJobs(tx).where('kind', '=', kind).select('leased_by').execute()
  if (unfinished.some(({ leased_by }) => leased_by === null)) return
  const last = await tx
    .selectFrom('jobs')
    .select('finished_at')
    .where('kind', '=', kind)
    .where('finished_at', '>', new Date(Date.now() - interval).toISOString())
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  // A job of the kind that runs now may have read its data before the change of this transaction. So it
  // does not count as waiting, and the new job runs `interval` ms from now.
  const lastEnd = unfinished.length ? Date.now() : Date.parse(last?.finished_at ?? '')
  await enqueueJob(tx, kind, payload, lastEnd ? { runAt: new Date(lastEnd + interval) } : {})
}

export const unfinishedJobs = (db: Db) =>
  db.selectFrom('jobs').where('finished_at', 'is', null).where('failed_at', 'is', null)

/** Whether a job waits or runs. Returns false if it has ended, or if its row was deleted while it ran. */
export const isJobUnfinished = (db: Db, id: number) =>
  hasMatchingRow(unfinishedJobs(db).select('id').where('id', '=', id))

export async function countUnfinished(db: Db, kind: keyof JobPayloads) {
  const { count } = await unfinishedJobs(db)
    .where('kind', '=', kind)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const HOUR = 3600 * 1000
/**
 * How long the row of a job stays after its end, in ms: after a success (`finished_at`) or a failure
 * (`failed_at`).
 */
const RETENTION = { finished_at: 7 * 24 * HOUR, failed_at: 30 * 24 * HOUR }
/** The number of rows that one statement deletes. A long statement would block other writers. */
const DELETE_BATCH = 500

/**
 * Deletes the rows of jobs that ended long ago, now and every hour. Returns a function that stops this. The
 * promise of that function resolves once the running deletion has ended.
 */
export const startJobCleanup = (db: Db, log: Pick<FastifyBaseLogger, 'warn'>) =>
  startHourly({ log }, () => deleteOldJobs(db), 'Old jobs could not be deleted; tried again in an hour').close

/** How long the payload of a job that failed stays at most, in ms. */
export const FAILED_RETENTION = 7 * 24 * HOUR

/** The condition that a job of a kind has failed for good, and that its payload is still there. */
const retryable = (kind: keyof JobPayloads) => (q: ExpressionBuilder<JobTables, 'jobs'>) =>
  q.and([
    q('kind', '=', kind),
    q('payload', 'is not', null),
    q('failed_at', '>', new Date(Date.now() - FAILED_RETENTION).toISOString()),
  ])

export async function countRetryable(db: Db, kind: keyof JobPayloads) {
  const { count } = await db
    .selectFrom('jobs')
    .select(sql<number>`count(*)`.as('count'))
    .where(retryable(kind))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Makes the jobs of a kind that have failed for good due again, as new ones with the same ids. Returns how
 * many. Their payloads must have been kept (`keptAfterFailure` of the runner).
 */
export async function retryFailed(tx: Tx, kind: keyof JobPayloads) {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ failed_at: null, last_error: null, attempts: 0, run_at: isoNow() })
    .where(retryable(kind))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows) tx.afterCommit(callListeners)
  return Number(numUpdatedRows)
}

async function deleteOldJobs(db: Db) {
  await transaction(db, (tx) =>
    tx
      .updateTable('jobs')
      .set({ payload: null })
      .where('payload', 'is not', null)
      .where('failed_at', '<=', new Date(Date.now() - FAILED_RETENTION).toISOString())
      .execute(),
  )
  for (const column of ['finished_at', 'failed_at'] as const)
    while ((await deleteBatch(db, column)) === DELETE_BATCH);
}

const deleteBatch = (db: Db, column: keyof typeof RETENTION) =>
  transaction(db, async (tx) => {
    const old = tx
      .selectFrom('jobs')
      .select('id')
      .where(column, '<', new Date(Date.now() - RETENTION[column]).toISOString())
      .orderBy(column)
      .limit(DELETE_BATCH)
    const { numDeletedRows } = await tx.deleteFrom('jobs').where('id', 'in', old).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })

/** Deletes the jobs of a kind with exactly this payload. A job that runs is not stopped. */
export const deleteJobs = <Kind extends keyof JobPayloads>(tx: Tx, kind: Kind, payload: JobPayloads[Kind]) =>
  tx.deleteFrom('jobs').where('kind', '=', kind).where('payload', '=', JSON.stringify(payload)).execute()

/** Deletes those jobs of a kind that wait. One that runs goes on. */
export async function deleteWaiting(tx: Tx, kind: keyof JobPayloads, ids: readonly (number | null)[]) {
  const known = ids.filter((id) => id !== null)
  if (!known.length) return
  const waiting = tx.deleteFrom('jobs').where('kind', '=', kind).where('leased_by', 'is', null)
  await waiting.where('id', 'in', known).execute()
}

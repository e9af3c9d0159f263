import type { FastifyBaseLogger } from 'fastify'
import { type Generated, sql } from 'kysely'
import { currentIsoTime, type Db, hasMatchingRow, type Migrations, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'

/**
 * The kinds of jobs, each with its payload (plain JSON). A module adds its kinds by declaration merging, so
 * `enqueueJob` with an unknown kind or a wrong payload does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declaration merging fills it
export interface JobKinds {}

export interface JobTables {
  /** A task that may fail or wait. The row stays for some days after the job has ended. */
  jobs: {
    id: Generated<number>
    kind: string
    /**
     * The payload as JSON; null once the job has ended, so that no mail address and no link stays in the
     * table.
     */
    payload: string | null
    created_at: string
    /**
     * When the job is due. During an attempt, the end of the lease, after which another process may take the
     * job.
     */
    run_at: string
    /** The number of attempts that have begun, without those that ended because the process stopped. */
    attempts: Generated<number>
    /** The id of the runner that has the lease, or null. */
    leased_by: string | null
    /** The reason why the last attempt failed, in short, without addresses and links. */
    last_error: string | null
    finished_at: string | null
    /** When the job failed for good: it is not tried again. */
    failed_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface Tables extends JobTables {}
}

export const migrations: Migrations = {
  'jobs 1': ({ id }) => [
    `create table jobs (
      id ${id}, kind text not null, payload text, created_at text not null, run_at text not null,
      attempts integer not null default 0, leased_by text, last_error text, finished_at text, failed_at text)`,
    'create index jobs_due on jobs (run_at) where finished_at is null and failed_at is null',
    'create index jobs_finished on jobs (finished_at) where finished_at is not null',
    'create index jobs_failed on jobs (failed_at) where failed_at is not null',
  ],
}

const listeners = new Set<() => void>()

/**
 * Calls `listener` after each commit of this process that adds jobs. Returns a function that removes the
 * listener.
 */
export function onJobsEnqueued(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Adds a job in the transaction of the change that it belongs to. The job runs after the commit, at `runAt`
 * or at once. It may run twice if a process is killed, so its handler must allow that (see `JobContext.id`).
 */
export async function enqueueJob<Kind extends keyof JobKinds>(
  tx: Tx,
  kind: Kind,
  payload: JobKinds[Kind],
  { runAt }: { runAt?: Date } = {},
) {
  const created_at = currentIsoTime()
  const run_at = runAt?.toISOString() ?? created_at
  await tx
    .insertInto('jobs')
    .values({ kind, payload: JSON.stringify(payload), created_at, run_at })
    .execute()
  tx.afterCommit(() => {
    for (const listener of listeners) listener()
  })
}

/** Returns a query for the jobs that have not ended. */
export const selectUnfinishedJobs = (db: Db) =>
  db.selectFrom('jobs').where('finished_at', 'is', null).where('failed_at', 'is', null)

/** Whether a job waits or runs. It is not there any more if something has deleted it while it ran. */
export const hasUnfinishedJob = (db: Db, id: number) =>
  hasMatchingRow(selectUnfinishedJobs(db).select('id').where('id', '=', id))

/** Returns how many jobs of a kind wait or run. */
export async function countUnfinishedJobsOfKind(db: Db, kind: keyof JobKinds) {
  const { count } = await selectUnfinishedJobs(db)
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
export function startJobCleanup(db: Db, log: Pick<FastifyBaseLogger, 'warn'>) {
  let cleaning: Promise<void>
  function cleanUp() {
    cleaning = deleteOldJobs(db).catch((error: unknown) =>
      log.warn({ err: error }, 'Old jobs could not be deleted; tried again in an hour'),
    )
  }
  const timer = setInterval(cleanUp, HOUR).unref()
  cleanUp()
  return () => {
    clearInterval(timer)
    return cleaning
  }
}

async function deleteOldJobs(db: Db) {
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
export const deleteJobs = <Kind extends keyof JobKinds>(tx: Tx, kind: Kind, payload: JobKinds[Kind]) =>
  tx.deleteFrom('jobs').where('kind', '=', kind).where('payload', '=', JSON.stringify(payload)).execute()

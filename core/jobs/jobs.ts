import type { FastifyBaseLogger } from 'fastify'
import { type Generated, sql } from 'kysely'
import { type Db, type Migrations, now, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'

/**
 * The kinds of jobs, each with its payload (plain JSON). A module adds its kinds by declaration merging, so
 * `enqueue` of an unknown kind or of a wrong payload does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declaration merging fills it
export interface JobKinds {}

export interface JobTables {
  /** Work that may fail or wait. A row stays for some days after the job has ended. */
  jobs: {
    id: Generated<number>
    kind: string
    /** JSON; null once the job has ended, so that no address and no link stays in the history. */
    payload: string | null
    created_at: string
    /**
     * When the job is due. During an attempt it is the end of the lease: then another process may take it.
     */
    run_at: string
    /** Attempts that were begun. */
    attempts: Generated<number>
    /** The runner that has the lease, or null. */
    leased_by: string | null
    /** Why the last attempt failed, in short, without addresses and links. */
    last_error: string | null
    finished_at: string | null
    /** When the last attempt failed. */
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

/** Calls `listener` after each commit of this process that adds jobs. The result removes the listener. */
export function onEnqueued(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Adds a job in the transaction of the change that it belongs to. The job runs after the commit, at `runAt`
 * or at once. It may run twice where a process is killed, so its handler must bear that (see
 * `JobContext.id`).
 */
export async function enqueue<Kind extends keyof JobKinds>(
  tx: Tx,
  kind: Kind,
  payload: JobKinds[Kind],
  { runAt }: { runAt?: Date } = {},
) {
  const created_at = now()
  const run_at = runAt?.toISOString() ?? created_at
  await tx
    .insertInto('jobs')
    .values({ kind, payload: JSON.stringify(payload), created_at, run_at })
    .execute()
  tx.afterCommit(() => {
    for (const listener of listeners) listener()
  })
}

/** The jobs that have not ended. */
export const unfinished = (db: Db) =>
  db.selectFrom('jobs').where('finished_at', 'is', null).where('failed_at', 'is', null)

/** How many jobs of a kind wait or run. */
export async function countUnfinished(db: Db, kind: keyof JobKinds) {
  const { count } = await unfinished(db)
    .where('kind', '=', kind)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const HOUR = 3600 * 1000
/** How long the row of a job stays after its end, ms. */
const KEPT = { finished_at: 7 * 24 * HOUR, failed_at: 30 * 24 * HOUR }
/** Rows that one statement deletes: a long statement would hold up other writers. */
const BATCH = 500

/**
 * Deletes the rows of jobs that ended long ago, now and every hour. Returns a function that stops the timer;
 * its promise resolves once the running deletion has ended.
 */
export function startCleanup(db: Db, log: Pick<FastifyBaseLogger, 'warn'>) {
  let cleaning: Promise<void>
  function clean() {
    cleaning = deleteOldJobs(db).catch((error: unknown) =>
      log.warn({ err: error }, 'Old jobs could not be deleted; tried again in an hour'),
    )
  }
  const timer = setInterval(clean, HOUR).unref()
  clean()
  return () => {
    clearInterval(timer)
    return cleaning
  }
}

async function deleteOldJobs(db: Db) {
  for (const column of ['finished_at', 'failed_at'] as const)
    while ((await deleteBatch(db, column)) === BATCH);
}

const deleteBatch = (db: Db, column: keyof typeof KEPT) =>
  transaction(db, async (tx) => {
    const old = tx
      .selectFrom('jobs')
      .select('id')
      .where(column, '<', new Date(Date.now() - KEPT[column]).toISOString())
      .orderBy(column)
      .limit(BATCH)
    const { numDeletedRows } = await tx.deleteFrom('jobs').where('id', 'in', old).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })

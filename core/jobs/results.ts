import { sql } from 'kysely'
import { type Db, isoNow } from '#core/database/database.ts'
import { type JobPayloads, unfinishedJobs } from './jobs.ts'

export interface LastJobResults {
  /**
   * The time at which the last job of the kind succeeded, within the days that finished jobs are kept; or
   * null.
   */
  succeeded_at: string | null
  /**
   * The error of the newest job whose last attempt failed and that will run again (`failed_at` is null
   * then). If there is no such job, the error of the last job that failed for good after the last success.
   * Null if neither exists.
   */
  failure: { error: string; failed_at: string | null } | null
}

export async function lastResults(db: Db, kind: keyof JobPayloads): Promise<LastJobResults> {
  const done = await db
    .selectFrom('jobs')
    .select('finished_at')
    .where('kind', '=', kind)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const succeeded_at = done?.finished_at ?? null
  const retried = await unfinishedJobs(db)
    .select(['last_error as error', 'failed_at'])
    .where('kind', '=', kind)
    .where('last_error', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const failed =
    retried ??
    (await db
      .selectFrom('jobs')
      .select(['last_error as error', 'failed_at'])
      .where('kind', '=', kind)
      .where('failed_at', '>', succeeded_at ?? '')
      .orderBy('failed_at', 'desc')
      .limit(1)
      .executeTakeFirst())
  return { succeeded_at, failure: failed ? { error: failed.error ?? '', failed_at: failed.failed_at } : null }
}

/**
 * Returns how many attempts of the jobs of these kinds have failed since the last success, with the newest
 * error. Jobs that succeeded are kept for seven days, and jobs that failed for thirty.
 */
export async function repeatedFailures(db: Db, kinds: readonly (keyof JobPayloads)[]) {
  const done = await db
    .selectFrom('jobs')
    .select((q) => q.fn.max('finished_at').as('at'))
    .where('kind', 'in', kinds)
    .where('finished_at', 'is not', null)
    .executeTakeFirst()
  const succeeded_at = done?.at ?? null
  const failing = await db
    .selectFrom('jobs')
    .select(['attempts', 'last_error'])
    .where('kind', 'in', kinds)
    .where('finished_at', 'is', null)
    .where('last_error', 'is not', null)
    .where('created_at', '>', succeeded_at ?? '')
    .orderBy('id', 'desc')
    .limit(MAX_FAILING)
    .execute()
  const attempts = failing.reduce((sum, job) => sum + job.attempts, 0)
  return { attempts, error: failing[0]?.last_error ?? '', succeeded_at }
}
/** The number of failing jobs after which nobody needs to count more. */
const MAX_FAILING = 20

/** Returns how many jobs are overdue, and the earliest time at which one of them was due, or null. */
export async function overdue(db: Db) {
  const { oldest, count } = await unfinishedJobs(db)
    .select((q) => [q.fn.min('run_at').as('oldest'), sql<number>`count(*)`.as('count')])
    .where('run_at', '<=', isoNow())
    .executeTakeFirstOrThrow()
  return { oldest, count: Number(count) }
}

/** Counts the jobs that failed for good since an ISO time, without mails. */
export async function countFailed(db: Db, since: string) {
  const { count } = await db
    .selectFrom('jobs')
    .select(sql<number>`count(*)`.as('count'))
    .where('failed_at', '>', since)
    .where('kind', '!=', 'mail')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Counts the jobs of a kind that have succeeded or failed for good since two ISO times. Jobs that succeeded
 * are kept for seven days, and jobs that failed for thirty.
 */
export async function countEnded(db: Db, kind: keyof JobPayloads, since: { day: string; week: string }) {
  const count = async (column: 'finished_at' | 'failed_at') => {
    const row = await db
      .selectFrom('jobs')
      .select((q) => [
        q.fn.countAll().as('week'),
        q.fn.max(column).as('last'),
        sql<number>`sum(case when ${sql.ref(column)} > ${since.day} then 1 else 0 end)`.as('day'),
      ])
      .where('kind', '=', kind)
      .where(column, '>', since.week)
      .executeTakeFirstOrThrow()
    return { day: Number(row.day ?? 0), week: Number(row.week), last: row.last }
  }
  const [finished, failed] = await Promise.all([count('finished_at'), count('failed_at')])
  return { finished, failed }
}

/** Counts the jobs of these kinds that wait or run, and returns when the oldest of them was added. */
export async function unfinished(db: Db, kinds: readonly (keyof JobPayloads)[]) {
  const { oldest, count } = await unfinishedJobs(db)
    .select((q) => [q.fn.min('created_at').as('oldest'), q.fn.countAll().as('count')])
    .where('kind', 'in', kinds)
    .executeTakeFirstOrThrow()
  return { oldest, count: Number(count) }
}

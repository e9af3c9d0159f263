import { type Db, isPostgres, now } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { unfinished } from './jobs.ts'

/** Selects the jobs that one runner may take: of kinds that it knows, without those that it runs already. */
export interface Claims {
  runner: string
  kinds: readonly string[]
  running: readonly number[]
  /** How long a lease is, ms. */
  lease: number
  /** The longest wait between two attempts, ms. */
  longestWait: number
}

export type Job = NonNullable<Awaited<ReturnType<typeof claim>>>

/** Takes the job that has been due for the longest time. It is not due again before the lease ends. */
export const claim = (db: Db, claims: Claims) =>
  transaction(db, (tx) =>
    tx
      .updateTable('jobs')
      .set((q) => ({
        attempts: q('attempts', '+', 1),
        leased_by: claims.runner,
        run_at: later(claims.lease),
      }))
      .where('id', '=', oldestDue(tx, claims))
      .returning(['id', 'kind', 'payload', 'created_at', 'attempts'])
      .executeTakeFirst(),
  )

function oldestDue(tx: Db, claims: Claims) {
  const latest = later(claims.longestWait + claims.lease)
  return (
    candidates(tx, claims)
      .where((q) =>
        q.or([
          q('run_at', '<=', now()),
          // No wait is so long: the clock was ahead when this time was written.
          q('run_at', '>', latest).and(q.or([q('attempts', '>', 0), q('run_at', '=', q.ref('created_at'))])),
        ]),
      )
      .select('id')
      .orderBy('run_at')
      .limit(1)
      // Skips rows that another process is taking at this moment. SQLite runs one transaction at a time.
      .$if(isPostgres(tx), (q) => q.forUpdate().skipLocked())
  )
}

const candidates = (db: Db, { kinds, running }: Claims) =>
  unfinished(db)
    .where('kind', 'in', kinds)
    .$if(running.length > 0, (q) => q.where('id', 'not in', running))

/** When the next job is due or its lease ends, undefined where there is none. */
export const nextRunAt = async (db: Db, claims: Claims) =>
  (await candidates(db, claims).select('run_at').orderBy('run_at').limit(1).executeTakeFirst())?.run_at

interface Change {
  run_at?: string
  attempts?: number
  last_error?: string | null
  finished_at?: string
  failed_at?: string
  leased_by?: null
  payload?: null
}
/** Changes a job if the runner still has its lease. Returns whether it has. */
export const changeLeased = (db: Db, runner: string, id: number, change: Change) =>
  transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set(change)
      .where('id', '=', id)
      .where('leased_by', '=', runner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })

/** The time in so many milliseconds, as the database has it. */
export const later = (ms: number) => new Date(Date.now() + ms).toISOString()

import { sql } from 'kysely'
import { type Db, isPostgres } from '#core/database/database.ts'

/**
 * The columns with which PostgreSQL describes the snapshot of a query: the id of the oldest transaction that
 * was running (`snapshot_xmin`), and the id that the next transaction would get (`snapshot_xmax`). They are
 * absent on SQLite. https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
 */
export interface SnapshotColumns {
  snapshot_xmin?: string
  snapshot_xmax?: string
}

/**
 * The time in milliseconds after which an id can be settled at the earliest. A transaction gets its own id a
 * moment after the id of its row.
 */
const SETTLE_TIME = 1000

/**
 * Creates the function that finds, in the results of a query for the newest rows of a table, an id so old that
 * every row which is added later has a larger id. On PostgreSQL, a transaction can commit its row after rows
 * with larger ids. So the newest id of an earlier result is settled when all transactions that were running
 * then have ended. On SQLite, which has one writer at a time, the newest id is.
 */
export function createSettledIdFinder(db: Db) {
  let settledId = 0
  let candidate: { id: number; xmax: bigint; at: number } | null = null
  return {
    /** The columns that the query must select, followed by a comma. */
    columns: isPostgres(db)
      ? sql`pg_snapshot_xmin(pg_current_snapshot())::text as snapshot_xmin,
          pg_snapshot_xmax(pg_current_snapshot())::text as snapshot_xmax,`
      : sql``,
    /** Returns a settled id; 0 if none is known yet. `rows` are the result of the query, the newest row first. */
    find([newest]: readonly (SnapshotColumns & { id: number })[]) {
      if (!newest) return settledId
      if (newest.snapshot_xmin === undefined) return newest.id
      const isSettled =
        candidate !== null &&
        candidate.xmax <= BigInt(newest.snapshot_xmin) &&
        candidate.at < performance.now() - SETTLE_TIME
      if (isSettled) settledId = candidate!.id
      if (isSettled || !candidate)
        candidate = { id: newest.id, xmax: BigInt(newest.snapshot_xmax!), at: performance.now() }
      return settledId
    },
  }
}

import { sql } from 'kysely'
import { type Db, isPostgres } from '#core/database/database.ts'
import type { JobHandler } from '#core/jobs/runner.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    truncate_wal: Record<never, never>
  }
}

/**
 * Creates the handler of the jobs that empty SQLite's write-ahead log, which contains older versions of
 * changed pages. With `secure_delete`, the file of the database then contains nothing of deleted rows, once
 * `purge` has removed what features store elsewhere in it. Fails while a backup reads the log, so that the job is
 * tried again. Does nothing on PostgreSQL.
 */
export const walTruncationHandler =
  (db: Db, purge: () => readonly (Promise<unknown> | undefined)[]): JobHandler<'truncate_wal'> =>
  async () => {
    if (isPostgres(db)) return
    await Promise.all(purge())
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    if (rows[0]?.busy) throw new Error('The write-ahead log is in use')
  }

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#core/database/database.ts'

/** Numbers of a feature for the admin dashboard. */
export interface Statistics {
  /** Numbers by their field in the answer of `GET /api/admin/facts`. `since` is an ISO time. */
  counts(db: Db, since: string): Promise<Record<string, number>>
  /** Selects the `user_id` of everything that members wrote since then. */
  authors(since: string): RawBuilder<{ user_id: number }>
}

/**
 * Selects the `user_id` of the rows of a table (columns id, user_id, created_at) that were made since `since`.
 * Reads from the newest row back to the first older one, so that the older rows cost nothing.
 */
export const authorsSince = (table: string, since: string) => sql<{ user_id: number }>`
  select user_id from ${sql.table(table)} where created_at > ${since} and id > coalesce(
    (select id from ${sql.table(table)} where created_at <= ${since} order by id desc limit 1), 0)`

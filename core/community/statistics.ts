import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#core/database/database.ts'

export interface Statistics {
  /**
   * Returns numbers by the names of their fields in the response of `GET /api/admin/facts`. `since` is an ISO
   * time.
   */
  counts(db: Db, since: string): Promise<Record<string, number>>
  /** Returns a query for the `user_id` of every row that a member wrote after `since`. */
  authors?(since: string): RawBuilder<{ user_id: number }>
}

export interface OwnedFile {
  user_id: number
  bytes: number
}

/** A kind of files of members that a feature stores, for the admins' list of what takes space. */
export interface MemberFilesQuery {
  kind:
    | 'post_pictures'
    | 'reply_pictures'
    | 'chat_pictures'
    | 'album_pictures'
    | 'profile_pictures'
    | 'archives'
  /** Returns a query with one row for each file: its owner and its size. */
  buildQuery(): RawBuilder<OwnedFile>
}

/**
 * Returns numbers of what a member has written, by the names of their fields in the response of
 * `GET /api/account/deletion`.
 */
export type CountContent = (db: Db, user: number) => Promise<Record<string, number>>

/**
 * Returns a query for the `user_id` of the rows of a table (columns id, user_id, created_at) that were made
 * after `since`. The query reads back from the newest row and stops at the first row that is older than
 * `since`, so it reads no older rows.
 */
export const rowsSince = (table: string, since: string) => sql<{ user_id: number }>`
  select user_id from ${sql.table(table)} where created_at > ${since} and id > coalesce(
    (select id from ${sql.table(table)} where created_at <= ${since} order by id desc limit 1), 0)`

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#core/database/database.ts'

// The functions of this file build SQL conditions and run queries about whether members show others what they
// have read. See read-mark-sharing.ts.

/**
 * Returns an SQL condition: the member shows others what they have read. `user` is an SQL column or an id.
 */
export const buildSharesReadMarksCondition = (user: RawBuilder<unknown>) =>
  sql<boolean>`not exists (select 1 from hidden_read_marks h where h.user_id = ${user})`

export const sharesReadMarks = async (db: Db, user: number) =>
  (await findTimeSinceReadMarksAreHidden(db, user)) === null

/**
 * Returns the time since which a member does not show others what they have read; null if the member shows
 * it.
 */
export async function findTimeSinceReadMarksAreHidden(db: Db, user: number) {
  const row = await db
    .selectFrom('hidden_read_marks')
    .select('created_at')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.created_at ?? null
}

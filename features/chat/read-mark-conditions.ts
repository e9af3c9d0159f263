import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#core/database/database.ts'

// SQL conditions and queries about whether members show others what they have read. See read-mark-sharing.ts.

/** SQL: whether a member shows others what they have read. `user` is a column or an id. */
export const buildSharesReadMarksCondition = (user: RawBuilder<unknown>) =>
  sql<boolean>`not exists (select 1 from hidden_read_marks h where h.user_id = ${user})`

export const sharesReadMarks = async (db: Db, user: number) =>
  (await findTimeSinceReadMarksAreHidden(db, user)) === null

/** Returns the time since which a member does not show others what they have read; null if they show it. */
export async function findTimeSinceReadMarksAreHidden(db: Db, user: number) {
  const row = await db
    .selectFrom('hidden_read_marks')
    .select('created_at')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.created_at ?? null
}

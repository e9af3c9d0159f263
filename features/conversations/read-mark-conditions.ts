import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#core/database/database.ts'

/** SQL condition. `user` is a column or an id. */
export const sharingCondition = (user: RawBuilder<unknown>) =>
  sql<boolean>`not exists (select 1 from hidden_read_marks h where h.user_id = ${user})`

export const sharesReadMarks = async (db: Db, user: number) => (await findHiddenSince(db, user)) === null

/** Null if the member shows their read marks. */
export async function findHiddenSince(db: Db, user: number) {
  const row = await db
    .selectFrom('hidden_read_marks')
    .select('created_at')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.created_at ?? null
}

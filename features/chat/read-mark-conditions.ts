import { type RawBuilder, sql } from 'kysely'
import { type Db, hasMatchingRow } from '#core/database/database.ts'

// Conditions on the choice of members whether they show others what they have read. See
// read-mark-sharing.ts.

/** SQL: whether a member shows others what they have read. `user` is a column or an id. */
export const buildSharesReadMarksCondition = (user: RawBuilder<unknown>) =>
  sql<boolean>`not exists (select 1 from hidden_read_marks h where h.user_id = ${user})`

export const sharesReadMarks = async (db: Db, user: number) =>
  !(await hasMatchingRow(db.selectFrom('hidden_read_marks').select('user_id').where('user_id', '=', user)))

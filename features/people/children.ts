import { sql } from 'kysely'
import { currentIsoTime, type Db, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'

// This file stores which accounts are those of children. Guardians and their rights are in
// features/guardians; the rule that a child has no rights of an admin or a moderator is here, because this
// feature grants these rights.

/** Returns the date of a time (by default now) in the time zone of the server, as YYYY-MM-DD. */
export function formatDateInServerTimeZone(time = new Date()) {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${String(time.getFullYear()).padStart(4, '0')}-${month}-${day}`
}

/**
 * Builds the query for the accounts that are marked as a child's today. From the day `ends_on` on, an account
 * does not count as a child's, even before the hourly clean-up deletes its row in `children`.
 */
export const buildChildAccountsQuery = (db: Db) =>
  db.selectFrom('children').select(['user_id', 'ends_on']).where('ends_on', '>', formatDateInServerTimeZone())

/** Builds the query for the ids of `buildChildAccountsQuery` with the `sql` tag, which compiles faster. */
export const childrenToday = () =>
  sql<{ user_id: number }>`select user_id from children where ends_on > ${formatDateInServerTimeZone()}`

/** Returns whether the account is a child's. */
export const isChildAccount = (db: Db, id: number) =>
  hasMatchingRow(buildChildAccountsQuery(db).where('user_id', '=', id))

/** Returns the ids of those of these members who are children, ordered by id. */
export async function filterChildAccountIds(db: Db, members: readonly number[]) {
  const rows = await buildChildAccountsQuery(db).where('user_id', 'in', members).orderBy('user_id').execute()
  return rows.map(({ user_id }) => user_id)
}

export const createChildCannotHaveRoleError = () =>
  new HttpError(403, {
    en: 'This account is a child’s, so it cannot become an admin or a moderator.',
    ja: 'お子さまのアカウントは、管理者やモデレーターにできません。',
  })

/**
 * Marks the account as a child's until `ends_on`, or changes the end of an existing mark. The caller must
 * have locked the account.
 */
export const saveChildAccountMark = (
  tx: Tx,
  child: { user_id: number; ends_on: string; created_by: number },
) =>
  tx
    .insertInto('children')
    .values({ ...child, created_at: currentIsoTime() })
    .onConflict((c) => c.column('user_id').doUpdateSet({ ends_on: child.ends_on }))
    .execute()

/**
 * Deletes the mark that an account is a child's. Foreign keys then delete the rows that name the guardians of
 * the child, and the notices for the guardians. The accounts of the child and of the guardians stay. Returns
 * false if the account has no mark.
 */
export async function deleteChildAccountMark(tx: Tx, id: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('children')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return Boolean(numDeletedRows)
}

/** The maximum number of account ids that `listAccountIdsWithEndedChildMark` returns. */
const MAX_ENDED = 500

/**
 * Returns the ids of at most MAX_ENDED accounts whose mark as a child's account has ended, but is not deleted
 * yet.
 */
export async function listAccountIdsWithEndedChildMark(tx: Tx) {
  const rows = await tx
    .selectFrom('children')
    .select('user_id')
    .where('ends_on', '<=', formatDateInServerTimeZone())
    .orderBy('user_id')
    .limit(MAX_ENDED)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/**
 * Deletes the marks of those of these accounts whose mark as a child's account has ended. Foreign keys then
 * delete the rows that name the guardians. Returns the ids of the accounts whose mark this call has deleted,
 * so that two processes never report the same end.
 */
export async function deleteEndedChildMarksAndReturnAccountIds(tx: Tx, ids: readonly number[]) {
  const rows = await tx
    .deleteFrom('children')
    .where('user_id', 'in', ids)
    .where('ends_on', '<=', formatDateInServerTimeZone())
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

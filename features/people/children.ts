import { sql } from 'kysely'
import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'

// Guardians and their rights are in features/guardians. The rule that a child is no admin or moderator is
// here, because this feature grants these rights.

/** YYYY-MM-DD. */
export function serverDate(time = new Date()) {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${String(time.getFullYear()).padStart(4, '0')}-${month}-${day}`
}

/** From the day `ends_on` on, not a child's any more, even before the clean-up deletes the row. */
export const childAccounts = (db: Db) =>
  db.selectFrom('children').select(['user_id', 'ends_on']).where('ends_on', '>', serverDate())

/** With the `sql` tag, which compiles faster. */
export const childrenToday = () =>
  sql<{ user_id: number }>`select user_id from children where ends_on > ${serverDate()}`

export const isChildAccount = (db: Db, id: number) =>
  hasMatchingRow(childAccounts(db).where('user_id', '=', id))

export async function filterChildren(db: Db, members: readonly number[]) {
  const rows = await childAccounts(db).where('user_id', 'in', members).orderBy('user_id').execute()
  return rows.map(({ user_id }) => user_id)
}

export const childRoleError = () =>
  new HttpError(403, {
    en: 'This account is a child’s, so it cannot become an admin or a moderator.',
    ja: '子どものアカウントは、管理者やモデレーターにできません。',
  })

/** Also changes the end of a mark. The caller must have locked the account. */
export const markChild = (tx: Tx, child: { user_id: number; ends_on: string; created_by: number }) =>
  tx
    .insertInto('children')
    .values({ ...child, created_at: isoNow() })
    .onConflict((c) => c.column('user_id').doUpdateSet({ ends_on: child.ends_on }))
    .execute()

/** False if there was no mark. Foreign keys delete the rows that name the guardians, and their notices. */
export async function unmarkChild(tx: Tx, id: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('children')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return Boolean(numDeletedRows)
}

const MAX_ENDED = 500

/** At most MAX_ENDED marks that are not deleted yet. */
export async function listEndedMarks(tx: Tx) {
  const rows = await tx
    .selectFrom('children')
    .select('user_id')
    .where('ends_on', '<=', serverDate())
    .orderBy('user_id')
    .limit(MAX_ENDED)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Resolves only to ids whose mark this call has deleted, so two processes never report the same end. */
export async function deleteEndedMarks(tx: Tx, ids: readonly number[]) {
  const rows = await tx
    .deleteFrom('children')
    .where('user_id', 'in', ids)
    .where('ends_on', '<=', serverDate())
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

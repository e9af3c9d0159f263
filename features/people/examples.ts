import { type SqlBool, sql } from 'kysely'
import { currentIsoTime, type Db, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'

// Example members are invented people, whom an admin fills a new community with. They have no password and no
// e-mail address, so nobody can log in as them, and they get no mails.

export const markAsExampleMember = (tx: Tx, user_id: number) =>
  tx.insertInto('example_members').values({ user_id, created_at: currentIsoTime() }).execute()

export async function listExampleMemberIds(db: Db) {
  const rows = await db.selectFrom('example_members').select('user_id').orderBy('user_id').execute()
  return rows.map(({ user_id }) => user_id)
}

export const hasExampleMembers = (db: Db) =>
  hasMatchingRow(db.selectFrom('example_members').select('user_id').limit(1))

export const isExampleMember = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('example_members').select('user_id').where('user_id', '=', id))

/**
 * Builds the SQL condition that the account is not that of an example member. `column` is the name of the
 * column with the account's id.
 */
export const buildNotExampleMemberCondition = (column: string) =>
  sql<SqlBool>`not exists (select 1 from example_members where user_id = ${sql.ref(column)})`

/** Throws 403 if the account is that of an example member, who gets no rights and no password. */
export async function requireNotExampleMember(db: Db, id: number) {
  if (await isExampleMember(db, id))
    throw new HttpError(403, {
      en: 'This is an example. It gets no rights and no password.',
      ja: 'これはサンプルの人です。権限やパスワードは設定できません。',
    })
}

import { type SqlBool, sql } from 'kysely'
import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'

// Invented people, with whom an admin fills a new community. They have no password and no address, so nobody
// can log in as them, and they get no mails.

export const markExample = (tx: Tx, user_id: number) =>
  tx.insertInto('example_members').values({ user_id, created_at: isoNow() }).execute()

export async function listExamples(db: Db) {
  const rows = await db.selectFrom('example_members').select('user_id').orderBy('user_id').execute()
  return rows.map(({ user_id }) => user_id)
}

export const hasExamples = (db: Db) =>
  hasMatchingRow(db.selectFrom('example_members').select('user_id').limit(1))

export const isExample = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('example_members').select('user_id').where('user_id', '=', id))

/** `column` has the account's id. */
export const notExample = (column: string) =>
  sql<SqlBool>`not exists (select 1 from example_members where user_id = ${sql.ref(column)})`

/** 403 otherwise: an example gets no rights and no password. */
export async function requireNotExample(db: Db, id: number) {
  if (await isExample(db, id))
    throw new HttpError(403, {
      en: 'This is an example. It gets no rights and no password.',
      ja: '見本のメンバーには、権限やパスワードを設定できません。',
    })
}

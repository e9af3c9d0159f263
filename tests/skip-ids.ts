import { sql } from 'kysely'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Dialect, TestApp } from '#tests/harness.ts'

/** Makes the database give the id `next` to the next account. */
export const skipIds = ({ db }: TestApp, dialect: Dialect, next: number) =>
  transaction(db, async (tx) => {
    if (dialect === 'postgres')
      return sql`select setval(pg_get_serial_sequence('users', 'id'), ${next - 1})`.execute(tx)
    const unique = '(skipped)'
    const columns = { name_skeleton: unique, handle: unique, email: '', email_key: unique, password_hash: '' }
    const at = isoNow()
    const row = {
      id: next - 1,
      name: '',
      name_key: '',
      ...columns,
      created_at: at,
      former_since: at,
    }
    return tx.insertInto('users').values(row).execute()
  })

import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { foldAddress } from '#core/text/addresses.ts'

// Former addresses of accounts. While the owner can undo the change, no other account may take the address:
// otherwise a thief could block the undo by registering it.

interface Reservation {
  email: string
  /** ISO 8601. */
  until: string
}

/** The caller must hold the lock of `credentials.lockAll`. */
export async function replace(tx: Tx, user_id: number, reservations: readonly Reservation[]) {
  await tx.deleteFrom('reserved_emails').where('user_id', '=', user_id).execute()
  for (const { email, until } of reservations)
    await tx
      .insertInto('reserved_emails')
      .values({ email_key: foldAddress(email), user_id, until })
      .onConflict((conflict) => conflict.column('email_key').doUpdateSet({ user_id, until }))
      .execute()
}

export const forOther = (db: Db, id: number, email: string) =>
  hasMatchingRow(
    db
      .selectFrom('reserved_emails')
      .select('user_id')
      .where('email_key', '=', foldAddress(email))
      .where('user_id', '!=', id)
      .where('until', '>', isoNow()),
  )

export const deleteExpired = (tx: Tx) =>
  tx.deleteFrom('reserved_emails').where('until', '<=', isoNow()).execute()

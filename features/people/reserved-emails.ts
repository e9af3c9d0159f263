import { currentIsoTime, type Db, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { foldCaseAndWidth } from '#core/unicode.ts'

// This file stores former e-mail addresses of accounts. While the owner of such an address can undo its
// change, no other account may take the address: otherwise a thief could block the undo by registering it.

interface Reservation {
  email: string
  /** The time (ISO 8601) at which the reservation of the address ends. */
  until: string
}

/**
 * Replaces the reserved e-mail addresses of an account. The caller must hold the lock of
 * `acquireAccountsLock`.
 */
export async function replaceReservedEmails(tx: Tx, user_id: number, reservations: readonly Reservation[]) {
  await tx.deleteFrom('reserved_emails').where('user_id', '=', user_id).execute()
  for (const { email, until } of reservations)
    await tx
      .insertInto('reserved_emails')
      .values({ email_key: foldCaseAndWidth(email), user_id, until })
      .onConflict((conflict) => conflict.column('email_key').doUpdateSet({ user_id, until }))
      .execute()
}

/** Returns whether an e-mail address is reserved for another account than the one with this id. */
export const isFormerEmailReservedForOtherAccount = (db: Db, id: number, email: string) =>
  hasMatchingRow(
    db
      .selectFrom('reserved_emails')
      .select('user_id')
      .where('email_key', '=', foldCaseAndWidth(email))
      .where('user_id', '!=', id)
      .where('until', '>', currentIsoTime()),
  )

/** Deletes the reservations of e-mail addresses that have ended. */
export const deleteExpiredReservedEmails = (tx: Tx) =>
  tx.deleteFrom('reserved_emails').where('until', '<=', currentIsoTime()).execute()

import type { MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { httpErrors } from '#core/http/errors.ts'
import { hashSession } from '#core/realtime/authorisation.ts'

/** In ms, after a log-in or a confirmation. */
const CONFIRMATION_LIFETIME = 10 * 60_000

/** `passkey_id` is null for a confirmation by password. */
export const recordConfirmation = (tx: Tx, token: string, passkey_id: number | null = null) =>
  tx
    .updateTable('sessions')
    .set({
      confirmed_at: isoNow(),
      ...(passkey_id !== null && { passkey_id }),
    })
    .where('token_hash', '=', hashSession(token))
    .execute()

export interface SessionContext extends MemberContext {
  session: { token: string }
}

const readConfirmationTime = async (db: Db, token: string) => {
  const row = await db
    .selectFrom('sessions')
    .select('confirmed_at')
    .where('token_hash', '=', hashSession(token))
    .executeTakeFirst()
  if (!row) throw httpErrors.unauthenticated()
  return row.confirmed_at
}

/** 401 otherwise. */
export async function requireOpenSession(db: Db, token: string) {
  await readConfirmationTime(db, token)
}

/** By log-in or confirmation in the last ten minutes. 401 if the session has ended. */
export async function isIdentityConfirmed(db: Db, token: string) {
  const confirmed_at = await readConfirmationTime(db, token)
  return (confirmed_at ?? '') > new Date(Date.now() - CONFIRMATION_LIFETIME).toISOString()
}

/**
 * 423 unless it was in the last ten minutes, 401 if the session has ended. The endpoint option
 * `needsConfirmation` checks the same before the handler; a transaction that locks the account checks again.
 * The status is that of Laravel's `password.confirm`.
 */
export async function requireConfirmation(tx: Tx, token: string) {
  if (!(await isIdentityConfirmed(tx, token))) throw httpErrors.confirmationNeeded()
}

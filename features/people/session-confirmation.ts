import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'

/**
 * The time in ms after a log-in or a confirmation of the identity in which sensitive actions are allowed.
 */
const CONFIRMATION_LIFETIME = 10 * 60_000

/**
 * Records that the member of this session has just confirmed their identity: with the passkey `passkey_id`,
 * or with the password if `passkey_id` is null.
 */
export const recordIdentityConfirmationOfSession = (
  tx: Tx,
  token: string,
  passkey_id: number | null = null,
) =>
  tx
    .updateTable('sessions')
    .set({
      confirmed_at: currentIsoTime(),
      ...(passkey_id !== null && { passkey_id }),
    })
    .where('token_hash', '=', hashSessionToken(token))
    .execute()

/** The context of a member's request, with the token of their session. */
export interface SessionContext extends MemberContext {
  session: { token: string }
}

const readConfirmationTime = async (db: Db, token: string) => {
  const row = await db
    .selectFrom('sessions')
    .select('confirmed_at')
    .where('token_hash', '=', hashSessionToken(token))
    .executeTakeFirst()
  if (!row) throw httpErrorFactories.unauthenticated()
  return row.confirmed_at
}

/** Throws 401 if the session with this token has ended. */
export async function requireSessionNotEnded(db: Db, token: string) {
  await readConfirmationTime(db, token)
}

/**
 * Returns whether the member of this session logged in or confirmed their identity in the last ten minutes.
 * Throws 401 if the session has ended.
 */
export async function isIdentityRecentlyConfirmed(db: Db, token: string) {
  const confirmed_at = await readConfirmationTime(db, token)
  return (confirmed_at ?? '') > new Date(Date.now() - CONFIRMATION_LIFETIME).toISOString()
}

/**
 * Throws 423 unless the member has confirmed their identity in this session in the last ten minutes, and 401
 * if the session has ended. The endpoint option `needsConfirmation` checks the same before the handler; a
 * transaction that locks the account checks again. Laravel's `password.confirm` responds with the same
 * status.
 */
export async function requireRecentIdentityConfirmation(tx: Tx, token: string) {
  if (!(await isIdentityRecentlyConfirmed(tx, token))) throw httpErrorFactories.confirmationNeeded()
}

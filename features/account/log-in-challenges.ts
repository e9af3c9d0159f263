import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'

// This file stores log-in challenges. A challenge is a log-in with the right password that waits for the
// second step. It belongs to one browser, which has the token in its session cookie.

/** Milliseconds for which a challenge is valid. */
const LIFETIME = 10 * 60_000

const oldestValidTime = () => new Date(Date.now() - LIFETIME).toISOString()

/** Inserts a challenge for the browser with this token, and deletes expired ones of all accounts. */
export async function insertLogInAwaitingSecondStep(tx: Tx, token: string, user_id: number) {
  await tx.deleteFrom('log_in_challenges').where('created_at', '<=', oldestValidTime()).execute()
  await tx
    .insertInto('log_in_challenges')
    .values({ session_hash: hashSessionToken(token), user_id, created_at: currentIsoTime() })
    .execute()
}

/**
 * Returns the id of the account whose log-in waits for the second step in this browser; undefined if there is
 * none.
 */
export async function findUserIdOfLogInAwaitingSecondStep(db: Db, token: string) {
  const row = await db
    .selectFrom('log_in_challenges')
    .select('user_id')
    .where('session_hash', '=', hashSessionToken(token))
    .where('created_at', '>', oldestValidTime())
    .executeTakeFirst()
  return row?.user_id
}

/**
 * Deletes this browser's log-in that waits for its second step. Returns false if it was used, or deleted,
 * meanwhile.
 */
export async function deleteLogInAwaitingSecondStep(tx: Tx, token: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('log_in_challenges')
    .where('session_hash', '=', hashSessionToken(token))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

/**
 * Deletes all challenges of an account, so that nobody who knew the old password goes on to the second step.
 * Returns the hashes of their session cookies.
 */
export async function deleteLogInsOfAccountAwaitingSecondStep(tx: Tx, user_id: number) {
  const deleted = await tx
    .deleteFrom('log_in_challenges')
    .where('user_id', '=', user_id)
    .returning('session_hash')
    .execute()
  return deleted.map(({ session_hash }) => session_hash)
}

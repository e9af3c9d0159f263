import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'

// The functions of this file store log-in challenges. A challenge is a log-in with the right password that
// waits for the second step. Each challenge belongs to one browser, which has the token of the challenge in
// its session cookie.

/** The time for which a log-in challenge is valid, in ms. */
const LIFETIME = 10 * 60_000

const oldestValidTime = () => new Date(Date.now() - LIFETIME).toISOString()

/**
 * Stores that a log-in to this account waits for the second step in the browser with the session cookie
 * `token`. Also deletes the expired challenges of all accounts.
 */
export async function insertLogInAwaitingSecondStep(tx: Tx, token: string, user_id: number) {
  await tx.deleteFrom('log_in_challenges').where('created_at', '<=', oldestValidTime()).execute()
  await tx
    .insertInto('log_in_challenges')
    .values({ session_hash: hashSessionToken(token), user_id, created_at: currentIsoTime() })
    .execute()
}

/**
 * Returns the id of the account whose log-in waits for the second step in the browser with the session cookie
 * `token`; undefined if no log-in waits there.
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
 * Deletes the log-in that waits for the second step in the browser with the session cookie `token`. Returns
 * false if another request has used or deleted this log-in meanwhile.
 */
export async function deleteLogInAwaitingSecondStep(tx: Tx, token: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('log_in_challenges')
    .where('session_hash', '=', hashSessionToken(token))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

/**
 * Deletes all log-ins of an account that wait for the second step, so that nobody who knew the old password
 * can finish one. Returns the hashes of the session cookies of their browsers.
 */
export async function deleteLogInsOfAccountAwaitingSecondStep(tx: Tx, user_id: number) {
  const deleted = await tx
    .deleteFrom('log_in_challenges')
    .where('user_id', '=', user_id)
    .returning('session_hash')
    .execute()
  return deleted.map(({ session_hash }) => session_hash)
}

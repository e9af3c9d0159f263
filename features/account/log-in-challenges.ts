import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { hashSession } from '#core/realtime/authorisation.ts'

// A challenge is a log-in with the right password that waits for the second step, in the browser that has its
// token in the session cookie.

/** In ms. */
const LIFETIME = 10 * 60_000

const oldestValidTime = () => new Date(Date.now() - LIFETIME).toISOString()

/** Also deletes the expired challenges of all accounts. */
export async function add(tx: Tx, token: string, user_id: number) {
  await tx.deleteFrom('log_in_challenges').where('created_at', '<=', oldestValidTime()).execute()
  await tx
    .insertInto('log_in_challenges')
    .values({ session_hash: hashSession(token), user_id, created_at: isoNow() })
    .execute()
}

/** Undefined if none waits in this browser. */
export async function findAccount(db: Db, token: string) {
  const row = await db
    .selectFrom('log_in_challenges')
    .select('user_id')
    .where('session_hash', '=', hashSession(token))
    .where('created_at', '>', oldestValidTime())
    .executeTakeFirst()
  return row?.user_id
}

/** False if another request has used or deleted it meanwhile. */
export async function remove(tx: Tx, token: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('log_in_challenges')
    .where('session_hash', '=', hashSession(token))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

/** Nobody who knew the old password can finish one. Resolves to the hashes of their session cookies. */
export async function removeAll(tx: Tx, user_id: number) {
  const deleted = await tx
    .deleteFrom('log_in_challenges')
    .where('user_id', '=', user_id)
    .returning('session_hash')
    .execute()
  return deleted.map(({ session_hash }) => session_hash)
}

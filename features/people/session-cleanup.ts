import type { AppContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { MAX_SESSION_LIFETIME, SESSION_IDLE_LIFETIME } from './sessions.ts'

/** The number of sessions that one transaction deletes. */
const SESSION_BATCH = 500

const toIsoTimeBeforeNow = (duration: number) => new Date(Date.now() - duration).toISOString()

const listOldSessions = (db: Db) =>
  db
    .selectFrom('sessions')
    .select(['token_hash', 'user_id'])
    .where((session) =>
      session.or([
        session('refreshed_at', '<=', toIsoTimeBeforeNow(SESSION_IDLE_LIFETIME)),
        session('created_at', '<=', toIsoTimeBeforeNow(MAX_SESSION_LIFETIME)),
      ]),
    )
    .limit(SESSION_BATCH)
    .execute()

/**
 * Deletes the sessions that have ended by their age, and closes their sockets. Closes the sockets first: the
 * sessions are over already, and if the process stops in between, the next cleanup finds the rows of the
 * sessions again.
 */
export async function deleteExpiredSessionsAndCloseSockets({
  db,
  realtime,
}: Pick<AppContext, 'db' | 'realtime'>) {
  for (;;) {
    const ended = await listOldSessions(db)
    if (!ended.length) return
    for (const { token_hash, user_id } of ended) realtime.revoke({ user: user_id, session: token_hash })
    const hashes = ended.map(({ token_hash }) => token_hash)
    await transaction(db, (tx) => tx.deleteFrom('sessions').where('token_hash', 'in', hashes).execute())
  }
}

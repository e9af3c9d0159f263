import type { AppContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import * as memberSessions from './sessions.ts'

/** In one transaction. */
const SESSION_BATCH = 500

const toIsoTimeBeforeNow = (duration: number) => new Date(Date.now() - duration).toISOString()

const listOldSessions = (db: Db) =>
  db
    .selectFrom('sessions')
    .select(['token_hash', 'user_id'])
    .where((session) =>
      session.or([
        session('refreshed_at', '<=', toIsoTimeBeforeNow(memberSessions.IDLE_LIFETIME)),
        session('created_at', '<=', toIsoTimeBeforeNow(memberSessions.MAX_LIFETIME)),
      ]),
    )
    .limit(SESSION_BATCH)
    .execute()

/** Closes the sockets first: if the process stops in between, the next cleanup finds the sessions again. */
export async function endOldSessions({ db, realtime }: Pick<AppContext, 'db' | 'realtime'>) {
  for (;;) {
    const ended = await listOldSessions(db)
    if (!ended.length) return
    for (const { token_hash, user_id } of ended) realtime.revoke({ user: user_id, session: token_hash })
    const hashes = ended.map(({ token_hash }) => token_hash)
    await transaction(db, (tx) => tx.deleteFrom('sessions').where('token_hash', 'in', hashes).execute())
  }
}

import { createHash } from 'node:crypto'
import type { AppContext, CurrentUser } from '#core/context.ts'
import { type Db, now, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { SessionStore } from '#core/http/session.ts'

const DAY = 24 * 3600 * 1000
const LIFE = 30 * DAY

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
const ago = (time: number) => new Date(Date.now() - time).toISOString()

/**
 * Looks up the session of a cookie, and renews its thirty days at most once a day. The session of a suspended
 * user is refused: a log-in at the same moment may have opened it after the suspension ended the others.
 */
export function openSessions({ db, queryCaches }: Pick<AppContext, 'db' | 'queryCaches'>): SessionStore {
  const known = queryCaches<string, Session | undefined>(['sessions', 'admins', 'suspensions'], 10_000)

  async function sessionOf(token: string) {
    const kept = known()
    if (kept.has(token)) return kept.get(token)
    const row = await db
      .selectFrom('sessions')
      .leftJoin('admins', 'admins.user_id', 'sessions.user_id')
      .select(['sessions.user_id', 'sessions.refreshed_at', 'admins.user_id as admin'])
      .where('token_hash', '=', hashOf(token))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('suspensions')
              .select('user_id')
              .whereRef('suspensions.user_id', '=', 'sessions.user_id'),
          ),
        ),
      )
      .executeTakeFirst()
    const session = row && {
      me: { id: row.user_id, is_admin: row.admin !== null },
      refreshed: Date.parse(row.refreshed_at),
    }
    kept.set(token, session)
    return session
  }

  return {
    async find(token) {
      const session = await sessionOf(token)
      if (!session) return null
      const age = Date.now() - session.refreshed
      if (age >= LIFE) return null
      const refresh = age > DAY
      if (refresh)
        await transaction(db, (tx) =>
          tx
            .updateTable('sessions')
            .set({ refreshed_at: now() })
            .where('token_hash', '=', hashOf(token))
            .execute(),
        )
      return { me: session.me, refresh }
    },
  }
}

interface Session {
  me: CurrentUser
  /** Milliseconds since 1970. */
  refreshed: number
}

export const openSession = (tx: Tx, user_id: number, token: string) =>
  tx
    .insertInto('sessions')
    .values({ token_hash: hashOf(token), user_id, created_at: now(), refreshed_at: now() })
    .execute()

export const endSession = (tx: Tx, token: string) =>
  tx.deleteFrom('sessions').where('token_hash', '=', hashOf(token)).execute()

export const endSessionsOf = (tx: Tx, user_id: number) =>
  tx.deleteFrom('sessions').where('user_id', '=', user_id).execute()

export const forgetOldSessions = (db: Db) =>
  transaction(db, (tx) => tx.deleteFrom('sessions').where('refreshed_at', '<=', ago(LIFE)).execute())

import { createHash } from 'node:crypto'
import type { AppContext, CurrentUser } from '#core/context.ts'
import { type Db, now, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { SessionStore } from '#core/http/session.ts'
import type { Realtime } from '#core/realtime/server.ts'
import { notSuspended } from './visibility.ts'

const DAY = 24 * 3600 * 1000
const LIFE = 30 * DAY
/** However often it is used, a session ends so long after its log-in. */
const LONGEST_LIFE = 90 * DAY

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
const ago = (time: number) => new Date(Date.now() - time).toISOString()

interface Session {
  me: CurrentUser
  /** Milliseconds since 1970. */
  refreshed: number
  created: number
}

/**
 * Finds sessions by the value of their cookie. Use extends a session to another thirty days, at most once a
 * day, and to ninety in all.
 */
export function createSessionStore({
  db,
  queryCaches,
}: Pick<AppContext, 'db' | 'queryCaches'>): SessionStore {
  const sessions = queryCaches<Session | undefined>(['sessions', 'admins', 'suspensions'], 10_000)
  return {
    async find(token) {
      const session = await sessions(token, () => readSession(db, token))
      if (!session) return null
      const age = Date.now() - session.refreshed
      if (age >= LIFE || Date.now() - session.created >= LONGEST_LIFE) return null
      const refresh = age > DAY
      if (refresh) await refreshSession(db, token)
      return { me: session.me, refresh }
    },
  }
}

/**
 * The session of a suspended member opens nothing, even where the log-in came at the same moment as the
 * suspension.
 */
async function readSession(db: Db, token: string): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions')
    .leftJoin('admins', 'admins.user_id', 'sessions.user_id')
    .select(['sessions.user_id', 'sessions.refreshed_at', 'sessions.created_at', 'admins.user_id as admin'])
    .where('token_hash', '=', hashOf(token))
    .where(notSuspended('sessions.user_id'))
    .executeTakeFirst()
  return (
    row && {
      me: { id: row.user_id, is_admin: row.admin !== null },
      refreshed: Date.parse(row.refreshed_at),
      created: Date.parse(row.created_at),
    }
  )
}

const refreshSession = (db: Db, token: string) =>
  transaction(db, (tx) =>
    tx.updateTable('sessions').set({ refreshed_at: now() }).where('token_hash', '=', hashOf(token)).execute(),
  )

export const openSession = (tx: Tx, user_id: number, token: string) =>
  tx
    .insertInto('sessions')
    .values({ token_hash: hashOf(token), user_id, created_at: now(), refreshed_at: now() })
    .execute()

/** Ends a session, and closes its sockets once that is committed. */
export async function endSession(tx: Tx, realtime: Realtime, token: string) {
  await tx.deleteFrom('sessions').where('token_hash', '=', hashOf(token)).execute()
  tx.afterCommit(() => realtime.revoke({ session: token }))
}

/** Ends all sessions of a member, and closes their sockets once that is committed. */
export async function endSessionsOf(tx: Tx, realtime: Realtime, user_id: number) {
  await tx.deleteFrom('sessions').where('user_id', '=', user_id).execute()
  tx.afterCommit(() => realtime.revoke({ member: user_id }))
}

export const deleteOldSessions = (db: Db) =>
  transaction(db, (tx) =>
    tx
      .deleteFrom('sessions')
      .where((session) =>
        session.or([
          session('refreshed_at', '<=', ago(LIFE)),
          session('created_at', '<=', ago(LONGEST_LIFE)),
        ]),
      )
      .execute(),
  )

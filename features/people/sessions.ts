import { createHash } from 'node:crypto'
import type { AppContext, CurrentUser } from '#core/context.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { SessionStore } from '#core/http/session.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'
import { notSuspendedCondition } from './visibility.ts'

const DAY = 24 * 3600 * 1000
const SESSION_LIFETIME = 30 * DAY
/** A session ends this long after its log-in, however often it is used. */
const MAX_SESSION_LIFETIME = 90 * DAY

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
const ago = (time: number) => new Date(Date.now() - time).toISOString()

interface Session {
  me: CurrentUser
  /** Milliseconds since 1970. */
  refreshed: number
  created: number
}

/**
 * Creates the store that finds a session by the value of its cookie. A session ends after thirty days without
 * use, and ninety days after its log-in. Its use is recorded at most once a day.
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
      if (age >= SESSION_LIFETIME || Date.now() - session.created >= MAX_SESSION_LIFETIME) return null
      const refresh = age > DAY
      if (refresh) await refreshSession(db, token)
      return { me: session.me, refresh }
    },
  }
}

/**
 * Sessions of suspended members are not found, even if the log-in and the suspension happened at the same
 * moment.
 */
async function readSession(db: Db, token: string): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions')
    .leftJoin('admins', 'admins.user_id', 'sessions.user_id')
    .select(['sessions.user_id', 'sessions.refreshed_at', 'sessions.created_at', 'admins.user_id as admin'])
    .where('token_hash', '=', hashToken(token))
    .where(notSuspendedCondition('sessions.user_id'))
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
    tx
      .updateTable('sessions')
      .set({ refreshed_at: currentIsoTime() })
      .where('token_hash', '=', hashToken(token))
      .execute(),
  )

export const insertSession = (tx: Tx, user_id: number, token: string) =>
  tx
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id,
      created_at: currentIsoTime(),
      refreshed_at: currentIsoTime(),
    })
    .execute()

/** Ends a session and closes its sockets after the commit. */
export async function endSession(tx: Tx, realtime: RealtimeServer, token: string) {
  await tx.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute()
  tx.afterCommit(() => realtime.revoke({ session: token }))
}

/** Ends all sessions of a member and closes their sockets after the commit. */
export async function endAllSessions(tx: Tx, realtime: RealtimeServer, user_id: number) {
  await tx.deleteFrom('sessions').where('user_id', '=', user_id).execute()
  tx.afterCommit(() => realtime.revoke({ user: user_id }))
}

export const deleteOldSessions = (db: Db) =>
  transaction(db, (tx) =>
    tx
      .deleteFrom('sessions')
      .where((session) =>
        session.or([
          session('refreshed_at', '<=', ago(SESSION_LIFETIME)),
          session('created_at', '<=', ago(MAX_SESSION_LIFETIME)),
        ]),
      )
      .execute(),
  )

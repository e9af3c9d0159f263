import { sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'
import {
  currentIsoTime,
  type DatabaseTables,
  type Db,
  type QueryCacheDependency,
  type Tx,
} from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { SessionLookup } from '#core/http/session.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'
import { isIdentityRecentlyConfirmed } from './session-confirmation.ts'
import { buildNotSuspendedCondition, suspensionTableNames } from './visibility.ts'

const DAY = 24 * 3600 * 1000
/** The time in ms after which a session ends if it is not used. */
export const SESSION_IDLE_LIFETIME = 30 * DAY
/**
 * The maximum time in ms between the log-in and the end of its session, even if the session is used every
 * day.
 */
export const MAX_SESSION_LIFETIME = 90 * DAY

const ago = (time: number) => new Date(Date.now() - time).toISOString()

/**
 * The check whether a session is protected by a second step. The account feature provides it, because it
 * stores the second steps.
 */
interface SecondSteps {
  /**
   * The names of the tables that `has` reads, so that cached sessions are dropped when one of them changes.
   */
  tables: readonly QueryCacheDependency[]
  has(db: Db, session: SessionMemberAndPasskeyIds): Promise<boolean>
}

/** The member of a session, and the passkey that was last used in the session; null if none was. */
export type SessionMemberAndPasskeyIds = Pick<DatabaseTables['sessions'], 'user_id' | 'passkey_id'>

interface Session {
  user: number
  isAdmin: boolean
  isModerator: boolean
  /**
   * Whether a second step protects the session. Always false for members who are neither admin nor moderator,
   * because the session store does not check them.
   */
  hasSecondStep: boolean
  /** The time when the session was last used, in milliseconds since 1970. */
  refreshed: number
  created: number
}

/**
 * Creates the store that finds a session by the value of its cookie. A session ends after thirty days
 * without use, and ninety days after its log-in. Its use is recorded at most once a day. If the community
 * requires a second step, admins and moderators without one do not have their rights.
 */
export function createSessionStoreForLookups(
  { db, queryCaches, settings }: Pick<AppContext, 'db' | 'queryCaches' | 'settings'>,
  secondSteps: SecondSteps,
): SessionLookup {
  const tables = ['sessions', 'admins', 'moderators', ...suspensionTableNames, ...secondSteps.tables] as const
  const sessions = queryCaches<Session | undefined>(tables, 10_000)

  function toCurrentUser({ user, isAdmin, isModerator, hasSecondStep }: Session): CurrentUser {
    const is_moderator = isAdmin || isModerator
    const needs_second_step = is_moderator && !hasSecondStep && settings.current().admins_need_second_step
    if (needs_second_step) return { id: user, is_admin: false, is_moderator: false, needs_second_step }
    return { id: user, is_admin: isAdmin, is_moderator, needs_second_step }
  }

  async function findValid(token: string) {
    const session = await sessions(token, () => readSession(db, token, secondSteps))
    if (!session || Date.now() - session.refreshed >= SESSION_IDLE_LIFETIME) return null
    return Date.now() - session.created >= MAX_SESSION_LIFETIME ? null : session
  }

  return {
    async find(token) {
      const session = await findValid(token)
      if (!session) return null
      const refresh = Date.now() - session.refreshed > DAY
      if (refresh) await refreshSession(db, token)
      return { me: toCurrentUser(session), refresh }
    },

    memberOf: async (token) => (await findValid(token))?.user ?? null,

    isConfirmed: (token) => isIdentityRecentlyConfirmed(db, token),
  }
}

type SessionRow = Pick<
  DatabaseTables['sessions'],
  'user_id' | 'passkey_id' | 'refreshed_at' | 'created_at'
> & {
  /**
   * `admin` is the id of the member if the member is an admin, otherwise null; `moderator` the same for a
   * moderator.
   */
  admin: number | null
  moderator: number | null
}

/**
 * Reads the session of a token. Also checks whether the member is suspended: suspending ends all sessions,
 * but a log-in at the same moment may have started another one.
 */
async function readSession(db: Db, token: string, secondSteps: SecondSteps): Promise<Session | undefined> {
  const { rows } = await sql<SessionRow>`
    select sessions.user_id, passkey_id, refreshed_at, sessions.created_at,
      admins.user_id as admin, moderators.user_id as moderator
    from sessions
    left join admins on admins.user_id = sessions.user_id
    left join moderators on moderators.user_id = sessions.user_id
    where token_hash = ${hashSessionToken(token)}
      and ${buildNotSuspendedCondition('sessions.user_id')}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const isAdmin = row.admin !== null
  const isModerator = row.moderator !== null
  return {
    user: row.user_id,
    isAdmin,
    isModerator,
    hasSecondStep: (isAdmin || isModerator) && (await secondSteps.has(db, row)),
    refreshed: Date.parse(row.refreshed_at),
    created: Date.parse(row.created_at),
  }
}

const refreshSession = (db: Db, token: string) =>
  transaction(db, (tx) =>
    tx
      .updateTable('sessions')
      .set({ refreshed_at: currentIsoTime() })
      .where('token_hash', '=', hashSessionToken(token))
      .execute(),
  )

interface SessionProof {
  /** The id of the passkey with which the member logged in; null or left out for a log-in without one. */
  passkey_id?: number | null
  /**
   * Whether the log-in also counts as a confirmation (see `recordIdentityConfirmationOfSession`). Default:
   * true.
   */
  isConfirmed?: boolean
}

/**
 * Stores a new session in the database. `client` describes the browser, for the list of the member's
 * sessions.
 */
export const insertSession = (
  tx: Tx,
  user_id: number,
  token: string,
  client?: { network: string; device: () => string | null },
  { passkey_id = null, isConfirmed = true }: SessionProof = {},
) =>
  tx
    .insertInto('sessions')
    .values({
      token_hash: hashSessionToken(token),
      user_id,
      created_at: currentIsoTime(),
      refreshed_at: currentIsoTime(),
      confirmed_at: isConfirmed ? currentIsoTime() : null,
      passkey_id,
      device: client?.device() ?? null,
      network: client?.network ?? null,
    })
    .execute()

/**
 * Reads the member of a session and the passkey that was last used in it, by the hash of the session's
 * token. Returns undefined if the session has ended.
 */
export const readSessionMemberAndPasskeyIds = (
  db: Db,
  token_hash: string,
): Promise<SessionMemberAndPasskeyIds | undefined> =>
  db
    .selectFrom('sessions')
    .select(['user_id', 'passkey_id'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()

/**
 * Returns the browser and the system of a session as one text, such as `Firefox · Linux`, by the hash of the
 * session's token; null if they are not known.
 */
export async function readBrowserAndSystemTextOfSession(db: Db, token_hash: string) {
  const row = await db
    .selectFrom('sessions')
    .select('device')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  return row?.device ?? null
}

/** Ends the session with this token, and closes the sockets of the session after the commit. */
export async function endSession(tx: Tx, realtime: RealtimeServer, token: string) {
  const token_hash = hashSessionToken(token)
  await tx.deleteFrom('sessions').where('token_hash', '=', token_hash).execute()
  tx.afterCommit(() => realtime.revoke({ session: token_hash }))
}

/**
 * Ends a member's session, by the hash of its token, and closes its sockets after the commit. Returns false
 * if the member has no such session.
 */
export async function endSessionOfMember(
  tx: Tx,
  realtime: RealtimeServer,
  user_id: number,
  token_hash: string,
) {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('token_hash', '=', token_hash)
    .executeTakeFirstOrThrow()
  tx.afterCommit(() => realtime.revoke({ session: token_hash }))
  return numDeletedRows > 0
}

/**
 * Ends all sessions of a member except the one with this token. Closes the sockets of the ended sessions
 * after the commit. Returns the number of ended sessions.
 */
export async function endOtherSessions(tx: Tx, realtime: RealtimeServer, user_id: number, token: string) {
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('token_hash', '!=', hashSessionToken(token))
    .returning('token_hash')
    .execute()
  tx.afterCommit(() => {
    for (const { token_hash } of ended) realtime.revoke({ session: token_hash })
  })
  return ended.length
}

/**
 * Ends all sessions of a member, and closes the sockets of the member after the commit. Returns the hashes of
 * the tokens of the ended sessions.
 */
export async function endAllSessionsOfMember(
  tx: Tx,
  realtime: Pick<RealtimeServer, 'revoke'> | null,
  user_id: number,
) {
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .returning('token_hash')
    .execute()
  if (realtime) tx.afterCommit(() => realtime.revoke({ user: user_id }))
  else await enqueueJob(tx, 'close_sockets', { user: user_id })
  return ended.map(({ token_hash }) => token_hash)
}

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** The job that closes all sockets of a member. */
    close_sockets: { user: number }
  }
}

// ── The member's own list of sessions ───────────────────────────────────────

/** The maximum number of sessions in the member's own list of sessions; the newest ones are listed. */
const MAX_LISTED_SESSIONS = 100

/**
 * Returns the sessions of a member that have not ended, the newest first. `token` is that of the current
 * session.
 */
export async function listSessions(db: Db, user_id: number, token: string) {
  const current = hashSessionToken(token)
  const rows = await db
    .selectFrom('sessions')
    .select(['token_hash as id', 'device', 'network', 'created_at', 'refreshed_at as last_used_at'])
    .where('user_id', '=', user_id)
    .where('refreshed_at', '>', ago(SESSION_IDLE_LIFETIME))
    .where('created_at', '>', ago(MAX_SESSION_LIFETIME))
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED_SESSIONS)
    .execute()
  return rows.map((row) => ({ ...row, is_current: row.id === current }))
}

const NEWEST = 50

/** Lists the newest sessions of all members that have a network. */
export const listSessionNetworks = (db: Db) =>
  db
    .selectFrom('sessions')
    .select(['user_id', 'network'])
    .where('network', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(NEWEST)
    .execute()

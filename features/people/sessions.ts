import { sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'
import {
  type CacheDependency,
  type DatabaseTables,
  type Db,
  isoNow,
  type Tx,
} from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { SessionLookup } from '#core/http/session.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { hashSession } from '#core/realtime/authorisation.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'
import { isIdentityConfirmed } from './session-confirmation.ts'
import * as visibility from './visibility.ts'

const DAY = 24 * 3600 * 1000
/** In ms. */
export const IDLE_LIFETIME = 30 * DAY
/** In ms since the log-in, even if the session is used every day. */
export const MAX_LIFETIME = 90 * DAY

const ago = (time: number) => new Date(Date.now() - time).toISOString()

/** The account feature provides it, because it stores the second steps. */
interface SecondSteps {
  /** Cached sessions are dropped when one of these tables changes. */
  tables: readonly CacheDependency[]
  has(db: Db, session: SessionIds): Promise<boolean>
}

/** The passkey is the one that was last used in the session; null if none was. */
export type SessionIds = Pick<DatabaseTables['sessions'], 'user_id' | 'passkey_id'>

interface Session {
  user: number
  isAdmin: boolean
  isModerator: boolean
  /** Always false for members who are neither admin nor moderator: the store does not check them. */
  hasSecondStep: boolean
  /** In ms since 1970. */
  refreshed: number
  created: number
}

/**
 * Finds a session by its cookie. A session ends after thirty days without use, and ninety days after its
 * log-in. Its use is recorded at most once a day. If the community requires a second step, admins and
 * moderators without one do not have their rights.
 */
export function createStore(
  { db, queryCaches, settings }: Pick<AppContext, 'db' | 'queryCaches' | 'settings'>,
  secondSteps: SecondSteps,
): SessionLookup {
  const tables = [
    'sessions',
    'admins',
    'moderators',
    ...visibility.suspensionTables,
    ...secondSteps.tables,
  ] as const
  const sessions = queryCaches<Session | undefined>(tables, 10_000)

  function toCurrentUser({ user, isAdmin, isModerator, hasSecondStep }: Session): CurrentUser {
    const is_moderator = isAdmin || isModerator
    const needs_second_step = is_moderator && !hasSecondStep && settings.current().admins_need_second_step
    if (needs_second_step) return { id: user, is_admin: false, is_moderator: false, needs_second_step }
    return { id: user, is_admin: isAdmin, is_moderator, needs_second_step }
  }

  async function findValid(token: string) {
    const session = await sessions(token, () => readSession(db, token, secondSteps))
    if (!session || Date.now() - session.refreshed >= IDLE_LIFETIME) return null
    return Date.now() - session.created >= MAX_LIFETIME ? null : session
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

    isConfirmed: (token) => isIdentityConfirmed(db, token),
  }
}

type SessionRow = Pick<
  DatabaseTables['sessions'],
  'user_id' | 'passkey_id' | 'refreshed_at' | 'created_at'
> & {
  /** The id of the member if they are one, otherwise null. */
  admin: number | null
  moderator: number | null
}

/**
 * A suspension ends all sessions, but a log-in at the same moment may have started another: checks it too.
 */
async function readSession(db: Db, token: string, secondSteps: SecondSteps): Promise<Session | undefined> {
  const { rows } = await sql<SessionRow>`
    select sessions.user_id, passkey_id, refreshed_at, sessions.created_at,
      admins.user_id as admin, moderators.user_id as moderator
    from sessions
    left join admins on admins.user_id = sessions.user_id
    left join moderators on moderators.user_id = sessions.user_id
    where token_hash = ${hashSession(token)}
      and ${visibility.notSuspended('sessions.user_id')}`.execute(db)
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
      .set({ refreshed_at: isoNow() })
      .where('token_hash', '=', hashSession(token))
      .execute(),
  )

interface SessionProof {
  passkey_id?: number | null
  /** By default true: see `recordConfirmation`. */
  isConfirmed?: boolean
}

/** `client` is for the list of the member's sessions. */
export const add = (
  tx: Tx,
  user_id: number,
  token: string,
  client?: { network: string; device: () => string | null },
  { passkey_id = null, isConfirmed = true }: SessionProof = {},
) =>
  tx
    .insertInto('sessions')
    .values({
      token_hash: hashSession(token),
      user_id,
      created_at: isoNow(),
      refreshed_at: isoNow(),
      confirmed_at: isConfirmed ? isoNow() : null,
      passkey_id,
      device: client?.device() ?? null,
      network: client?.network ?? null,
    })
    .execute()

/** Undefined if the session has ended. */
export const find = (db: Db, token_hash: string): Promise<SessionIds | undefined> =>
  db
    .selectFrom('sessions')
    .select(['user_id', 'passkey_id'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()

/** Such as `Firefox · Linux`; null if not known. */
export async function findDevice(db: Db, token_hash: string) {
  const row = await db
    .selectFrom('sessions')
    .select('device')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  return row?.device ?? null
}

/** Closes its sockets after the commit. */
export async function end(tx: Tx, realtime: RealtimeServer, token: string) {
  const token_hash = hashSession(token)
  await tx.deleteFrom('sessions').where('token_hash', '=', token_hash).execute()
  tx.afterCommit(() => realtime.revoke({ session: token_hash }))
}

/** Closes its sockets after the commit. False if the member has no such session. */
export async function endOfMember(tx: Tx, realtime: RealtimeServer, user_id: number, token_hash: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('token_hash', '=', token_hash)
    .executeTakeFirstOrThrow()
  tx.afterCommit(() => realtime.revoke({ session: token_hash }))
  return numDeletedRows > 0
}

/** Closes their sockets after the commit. Resolves to their number. */
export async function endOthers(tx: Tx, realtime: RealtimeServer, user_id: number, token: string) {
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('token_hash', '!=', hashSession(token))
    .returning('token_hash')
    .execute()
  tx.afterCommit(() => {
    for (const { token_hash } of ended) realtime.revoke({ session: token_hash })
  })
  return ended.length
}

/** Closes the member's sockets after the commit. Resolves to the hashes of the tokens. */
export async function endAll(tx: Tx, realtime: Pick<RealtimeServer, 'revoke'> | null, user_id: number) {
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
    close_sockets: { user: number }
  }
}

const MAX_LISTED_SESSIONS = 100

/** The newest first. `token` is that of the current session. */
export async function list(db: Db, user_id: number, token: string) {
  const current = hashSession(token)
  const rows = await db
    .selectFrom('sessions')
    .select(['token_hash as id', 'device', 'network', 'created_at', 'refreshed_at as last_used_at'])
    .where('user_id', '=', user_id)
    .where('refreshed_at', '>', ago(IDLE_LIFETIME))
    .where('created_at', '>', ago(MAX_LIFETIME))
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED_SESSIONS)
    .execute()
  return rows.map((row) => ({ ...row, is_current: row.id === current }))
}

const NEWEST = 50

export const listNetworks = (db: Db) =>
  db
    .selectFrom('sessions')
    .select(['user_id', 'network'])
    .where('network', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(NEWEST)
    .execute()

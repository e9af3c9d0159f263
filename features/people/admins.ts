import { type SqlBool, sql } from 'kysely'
import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrors } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { lockMembers } from './blocks.ts'
import { isChildAccount } from './children.ts'
import { isExample } from './examples.ts'
import * as securityLog from './security-log.ts'
import * as memberSessions from './sessions.ts'
import * as visibility from './visibility.ts'

/** False for a suspended member (who must not count as the last admin), a child or an example. */
export async function grantAdmin(tx: Tx, id: number, granted_by: number | null = null) {
  if (await visibility.isSuspended(tx, id)) return false
  await lockMembers(tx, [id])
  if ((await isChildAccount(tx, id)) || (await isExample(tx, id))) return false
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('admins')
    .values({ user_id: id, granted_by, created_at: isoNow() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) await securityLog.record(tx, id, 'admin_granted', { actor_id: granted_by })
  return true
}

export async function revokeAdmin(tx: Tx, id: number, revoked_by: number | null = null) {
  const { numDeletedRows } = await tx.deleteFrom('admins').where('user_id', '=', id).executeTakeFirstOrThrow()
  if (!numDeletedRows) return false
  await securityLog.record(tx, id, 'admin_revoked', { actor_id: revoked_by })
  return true
}

/** In ms: see `isRecentAdmin`. */
const PROTECTION = 7 * 24 * 3600_000

/**
 * Recently: in the last seven days. Other admins can neither create a code for a new password of such an
 * account nor remove its second step: otherwise one could revoke the right of another, log in, and grant it
 * again.
 */
export const isRecentAdmin = async (db: Db, id: number) =>
  (await isAdmin(db, id)) ||
  hasMatchingRow(
    db
      .selectFrom('security_log')
      .select('id')
      .where('user_id', '=', id)
      .where('kind', '=', 'admin_revoked')
      .where('created_at', '>', new Date(Date.now() - PROTECTION).toISOString()),
  )

export const isAdmin = async (db: Db, id: number) =>
  (await db.selectFrom('admins').select('user_id').where('user_id', '=', id).executeTakeFirst()) !== undefined

/**
 * 403 otherwise. Locks the row in `admins` until the commit. Transactions in which an admin changes data call
 * this first, because the right may have been revoked since the request began.
 */
export async function requireAdmin(tx: Tx, id: number) {
  const row = await tx
    .selectFrom('admins')
    .select('user_id')
    .where('user_id', '=', id)
    .$if(isPostgres(tx), (query) => query.forShare())
    .executeTakeFirst()
  if (!row) throw httpErrors.adminsOnly()
}

/**
 * A member has been an admin without a break since a time, and is not suspended. Both parameters are columns.
 */
export const adminSince = (member: string, since: string) =>
  sql<SqlBool>`exists (select 1 from admins where admins.user_id = ${sql.ref(member)}
    and admins.created_at <= ${sql.ref(since)} and ${visibility.notSuspended('admins.user_id')})`

const configuredAdmins = (tx: Tx, config: Config) =>
  tx
    .selectFrom('users')
    .select('id')
    .where('email_key', 'in', config.ADMIN_EMAIL)
    .where('email_verified_at', 'is not', null)
    .where('email_proven_at', 'is not', null)
    .where(visibility.notSuspended('users.id'))

/**
 * A verified address alone does not count: a stranger may have registered it, whose password the owner of the
 * mailbox does not know. It must be proven (see `email_proven_at`). A suspended account becomes an admin when
 * its suspension ends.
 */
export const grantConfigured = (db: Db, config: Config) =>
  transaction(db, async (tx) => {
    if (!config.ADMIN_EMAIL.length) return
    for (const { id } of await configuredAdmins(tx, config).execute()) await grantAdmin(tx, id)
  })

export async function grantIfConfigured(tx: Tx, config: Config, id: number) {
  if (!config.ADMIN_EMAIL.length) return
  if (await hasMatchingRow(configuredAdmins(tx, config).where('id', '=', id))) await grantAdmin(tx, id)
}

/**
 * Revokes the right that ADMIN_EMAIL has given since a time (ISO 8601), because the address goes back to the
 * one before. Does not look at the present address, which may have changed again. So on a site with
 * ADMIN_EMAIL, this also revokes a right given at the command line since then.
 */
export async function revokeConfigured(tx: Tx, config: Config, id: number, since: string) {
  if (!config.ADMIN_EMAIL.length) return
  const granted = tx
    .selectFrom('admins')
    .select('user_id')
    .where('user_id', '=', id)
    .where('granted_by', 'is', null)
    .where('created_at', '>=', since)
  if (await hasMatchingRow(granted)) await revokeAdmin(tx, id)
}

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Does nothing if the suspension no longer ends at `ends_at`. */
    end_suspension: { user_id: number; ends_at: string }
  }
}

interface SuspensionOptions {
  /** ISO 8601; null if only an admin ends it. */
  ends_at?: string | null
  /** The member reads it when logging in. */
  reason?: string | null
  /** For the audit log. */
  role?: 'admin' | 'moderator'
}

/** The command line has no realtime server: null. */
export type SuspendContext = Pick<AppContext, 'emit'> & {
  realtime: Pick<AppContext['realtime'], 'revoke'> | null
}

/**
 * Ends all sessions and prevents new ones; posts and messages stay. Of two suspensions the later end applies,
 * and the first beginning stays.
 */
export async function suspendMember(
  { realtime, emit }: SuspendContext,
  tx: Tx,
  id: number,
  suspended_by: number | null,
  { ends_at = null, reason = null, role }: SuspensionOptions = {},
) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suspensions')
    .values({ user_id: id, suspended_by, created_at: isoNow(), ends_at, reason })
    .onConflict((c) =>
      c
        .column('user_id')
        .doUpdateSet({ suspended_by, ends_at, reason })
        .where((q) =>
          ends_at === null
            ? q('suspensions.ends_at', 'is not', null)
            : q('suspensions.ends_at', '<', ends_at),
        ),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows)
    await securityLog.record(tx, id, 'suspended', { actor_id: suspended_by, ...(role && { role }) })
  if (numInsertedOrUpdatedRows && ends_at !== null)
    await enqueueJob(tx, 'end_suspension', { user_id: id, ends_at }, { runAt: new Date(ends_at) })
  await memberSessions.endAll(tx, realtime, id)
  await emit(tx, 'member.suspended', { id, suspended_by })
}

/** A suspension for another reason stays as it is, and continues after a cancelled deletion. */
export async function suspendForDeletion(
  { realtime, emit }: SuspendContext,
  tx: Tx,
  id: number,
  suspended_by: number | null,
) {
  const wasSuspended = await visibility.isSuspended(tx, id)
  await tx
    .insertInto('deletion_suspensions')
    .values({ user_id: id, suspended_by, created_at: isoNow() })
    .onConflict((c) => c.doNothing())
    .execute()
  if (!wasSuspended) await securityLog.record(tx, id, 'suspended', { actor_id: suspended_by })
  await memberSessions.endAll(tx, realtime, id)
  await emit(tx, 'member.suspended', { id, suspended_by })
}

/** A suspension for another reason continues. */
export async function unsuspendKept({ emit, me, config }: MemberContext, tx: Tx, id: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('deletion_suspensions')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  if (!numDeletedRows || (await visibility.isSuspended(tx, id))) return
  await securityLog.record(tx, id, 'unsuspended', { actor_id: me.id })
  await grantIfConfigured(tx, config, id)
  await emit(tx, 'member.unsuspended', { id })
}

/** If ADMIN_EMAIL lists the verified address, the member becomes an admin again. */
export async function unsuspendMember(
  { emit, config }: Pick<AppContext, 'emit' | 'config'>,
  tx: Tx,
  id: number,
  ended_by: number | null,
) {
  const wasSuspended = await visibility.isSuspended(tx, id)
  await tx.deleteFrom('suspensions').where('user_id', '=', id).execute()
  await tx.deleteFrom('deletion_suspensions').where('user_id', '=', id).execute()
  if (wasSuspended) {
    await securityLog.record(tx, id, 'unsuspended', { actor_id: ended_by })
    await grantIfConfigured(tx, config, id)
  }
  await emit(tx, 'member.unsuspended', { id })
}

/** Code that suspends a member locks the same row first (see `credentials.lock`). SQLite needs no lock. */
async function lockAgainstSuspension(tx: Tx, id: number) {
  if (isPostgres(tx))
    await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Does nothing if it has another end now. Members whose account waits for its deletion stay suspended. */
export const endSuspension = (
  { db, emit, config }: AppContext,
  { user_id, ends_at }: { user_id: number; ends_at: string },
) =>
  transaction(db, async (tx) => {
    await lockAgainstSuspension(tx, user_id)
    const { numDeletedRows } = await tx
      .deleteFrom('suspensions')
      .where('user_id', '=', user_id)
      .where('ends_at', '=', ends_at)
      .executeTakeFirstOrThrow()
    if (!numDeletedRows || (await visibility.isSuspended(tx, user_id))) return
    await securityLog.record(tx, user_id, 'unsuspended', { by_operator: false })
    await grantIfConfigured(tx, config, user_id)
    await emit(tx, 'member.unsuspended', { id: user_id })
  })

/** For migrations of later features. */
export const wasAdminSql = (user: string, at: string) =>
  `(exists (select 1 from admins where admins.user_id = ${user} and admins.created_at <= ${at})
    or exists (select 1 from security_log where security_log.user_id = ${user}
      and security_log.kind = 'admin_revoked' and security_log.created_at >= ${at}))`

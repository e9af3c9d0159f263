import { type SqlBool, sql } from 'kysely'
import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { currentIsoTime, type Db, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { foldCaseAndWidth } from '#core/unicode.ts'
import { lockMemberRowsShared } from './blocks.ts'
import { isChildAccount } from './children.ts'
import { isExampleMember } from './examples.ts'
import { recordSecurityEvent } from './security-log.ts'
import { endAllSessionsOfMember } from './sessions.ts'
import { buildNotSuspendedCondition, isMemberSuspended } from './visibility.ts'

// ── Admins ──────────────────────────────────────────────────────────────────

/**
 * Makes a member an admin, and returns true. Returns false and changes nothing for a suspended member,
 * because an admin who cannot log in must not count as the last admin. Also returns false for a child, and
 * for an example member.
 */
export async function grantAdmin(tx: Tx, id: number, granted_by: number | null = null) {
  if (await isMemberSuspended(tx, id)) return false
  await lockMemberRowsShared(tx, [id])
  if ((await isChildAccount(tx, id)) || (await isExampleMember(tx, id))) return false
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('admins')
    .values({ user_id: id, granted_by, created_at: currentIsoTime() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) await recordSecurityEvent(tx, id, 'admin_granted', { actor_id: granted_by })
  return true
}

/** Revokes the admin right of an account. Returns false if the account has no admin right. */
export async function revokeAdmin(tx: Tx, id: number, revoked_by: number | null = null) {
  const { numDeletedRows } = await tx.deleteFrom('admins').where('user_id', '=', id).executeTakeFirstOrThrow()
  if (!numDeletedRows) return false
  await recordSecurityEvent(tx, id, 'admin_revoked', { actor_id: revoked_by })
  return true
}

/**
 * The time in ms for which `isAdminNowOrRecently` still protects an account after its admin right was
 * revoked.
 */
const PROTECTION_AFTER_REVOCATION = 7 * 24 * 3600_000

/**
 * Returns whether the account belongs to an admin, or belonged to one in the last seven days. Other admins
 * can neither create a code for a new password of such an account nor remove its second step. Otherwise one
 * admin could revoke the right of another, log in to the account, and grant the right again.
 */
export const isAdminNowOrRecently = async (db: Db, id: number) =>
  (await isAdmin(db, id)) ||
  hasMatchingRow(
    db
      .selectFrom('security_log')
      .select('id')
      .where('user_id', '=', id)
      .where('kind', '=', 'admin_revoked')
      .where('created_at', '>', new Date(Date.now() - PROTECTION_AFTER_REVOCATION).toISOString()),
  )

const isAdmin = async (db: Db, id: number) =>
  (await db.selectFrom('admins').select('user_id').where('user_id', '=', id).executeTakeFirst()) !== undefined

/**
 * Throws 403 unless the account belongs to an admin. Locks the row of the account in `admins`, so that the
 * admin keeps the right until the commit. Transactions in which an admin changes data call this first,
 * because the right may have been revoked since the request began.
 */
export async function requireAdmin(tx: Tx, id: number) {
  const row = await tx
    .selectFrom('admins')
    .select('user_id')
    .where('user_id', '=', id)
    .$if(isPostgres(tx), (query) => query.forShare())
    .executeTakeFirst()
  if (!row) throw httpErrorFactories.adminsOnly()
}

/**
 * Builds the SQL condition that a member has been an admin without a break since a time, and is not
 * suspended. The parameters are the names of the columns with the id of the member and with the time. An
 * invitation that an admin has made, for example, works only while this condition holds.
 */
export const buildContinuouslyAdminSinceCondition = (member: string, since: string) =>
  sql<SqlBool>`exists (select 1 from admins where admins.user_id = ${sql.ref(member)}
    and admins.created_at <= ${sql.ref(since)} and ${buildNotSuspendedCondition('admins.user_id')})`

/** Returns the e-mail addresses of ADMIN_EMAIL, folded as in the column `email_key`. */
const listConfiguredAdminEmails = ({ ADMIN_EMAIL }: Config) => ADMIN_EMAIL.map(foldCaseAndWidth)

const buildConfiguredAdminsQuery = (tx: Tx, config: Config) =>
  tx
    .selectFrom('users')
    .select('id')
    .where('email_key', 'in', listConfiguredAdminEmails(config))
    .where('email_verified_at', 'is not', null)
    .where('email_proven_at', 'is not', null)
    .where(buildNotSuspendedCondition('users.id'))

/**
 * Makes an admin of each account whose e-mail address is verified, proven (see `email_proven_at`) and listed
 * in ADMIN_EMAIL. A verified address alone does not count, because a stranger may have registered it, whose
 * password the owner of the mailbox does not know. A suspended account becomes an admin when its suspension
 * ends.
 */
export const grantConfiguredAdmins = (db: Db, config: Config) =>
  transaction(db, async (tx) => {
    if (!config.ADMIN_EMAIL.length) return
    for (const { id } of await buildConfiguredAdminsQuery(tx, config).execute()) await grantAdmin(tx, id)
  })

/**
 * Makes the account an admin if its e-mail address is verified and listed in ADMIN_EMAIL: see
 * `grantConfiguredAdmins`.
 */
export async function grantAdminIfConfigured(tx: Tx, config: Config, id: number) {
  if (!config.ADMIN_EMAIL.length) return
  if (await hasMatchingRow(buildConfiguredAdminsQuery(tx, config).where('id', '=', id)))
    await grantAdmin(tx, id)
}

/**
 * Revokes the admin right that the account has got from ADMIN_EMAIL since a time (ISO 8601), because the address
 * goes back to the one before: its owner is somebody else. Does not look at the present address, because the
 * account may have changed it again since. So on a site with ADMIN_EMAIL, this also revokes a right that the
 * command line has given since that time.
 */
export async function revokeConfiguredAdmin(tx: Tx, config: Config, id: number, since: string) {
  if (!config.ADMIN_EMAIL.length) return
  const granted = tx
    .selectFrom('admins')
    .select('user_id')
    .where('user_id', '=', id)
    .where('granted_by', 'is', null)
    .where('created_at', '>=', since)
  if (await hasMatchingRow(granted)) await revokeAdmin(tx, id)
}

// ── Suspension ──────────────────────────────────────────────────────────────

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** The job that ends the suspension of a member, if the suspension still ends at `ends_at`. */
    end_suspension: { user_id: number; ends_at: string }
  }
}

interface SuspensionOptions {
  /** The end of the suspension (ISO 8601). Null if the suspension lasts until an admin ends it. */
  ends_at?: string | null
  /** The reason for the suspension, which the member reads when logging in. */
  reason?: string | null
  /** The role of the person who suspends the member, for the audit log. */
  role?: 'admin' | 'moderator'
}

/** What the functions that suspend need of the app. The command line has no realtime server: null. */
export type SuspensionContext = Pick<AppContext, 'emit'> & {
  realtime: Pick<AppContext['realtime'], 'revoke'> | null
}

/**
 * Suspends a member: ends all sessions and prevents new ones. Posts and messages of the member stay. The
 * suspension ends by itself at `ends_at` (ISO 8601); if that is null, only an admin can end it. If the
 * member is suspended already, the later of the two ends applies, and the suspension keeps its first
 * beginning.
 */
export async function suspendMember(
  { realtime, emit }: SuspensionContext,
  tx: Tx,
  id: number,
  suspended_by: number | null,
  { ends_at = null, reason = null, role }: SuspensionOptions = {},
) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suspensions')
    .values({ user_id: id, suspended_by, created_at: currentIsoTime(), ends_at, reason })
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
    await recordSecurityEvent(tx, id, 'suspended', { actor_id: suspended_by, ...(role && { role }) })
  if (numInsertedOrUpdatedRows && ends_at !== null)
    await enqueueJob(tx, 'end_suspension', { user_id: id, ends_at }, { runAt: new Date(ends_at) })
  await endAllSessionsOfMember(tx, realtime, id)
  await emit(tx, 'member.suspended', { id, suspended_by })
}

/**
 * Suspends a member until the account is deleted, or the deletion is cancelled. Does not change a suspension
 * that was decided for another reason, which continues after a cancelled deletion.
 */
export async function suspendMemberUntilDeletion(
  { realtime, emit }: SuspensionContext,
  tx: Tx,
  id: number,
  suspended_by: number | null,
) {
  const wasSuspended = await isMemberSuspended(tx, id)
  await tx
    .insertInto('deletion_suspensions')
    .values({ user_id: id, suspended_by, created_at: currentIsoTime() })
    .onConflict((c) => c.doNothing())
    .execute()
  if (!wasSuspended) await recordSecurityEvent(tx, id, 'suspended', { actor_id: suspended_by })
  await endAllSessionsOfMember(tx, realtime, id)
  await emit(tx, 'member.suspended', { id, suspended_by })
}

/**
 * Ends the suspension that `suspendMemberUntilDeletion` has begun. A suspension for another reason continues.
 */
export async function unsuspendMemberAfterCancelledDeletion(
  { emit, me, config }: MemberContext,
  tx: Tx,
  id: number,
) {
  const { numDeletedRows } = await tx
    .deleteFrom('deletion_suspensions')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  if (!numDeletedRows || (await isMemberSuspended(tx, id))) return
  await recordSecurityEvent(tx, id, 'unsuspended', { actor_id: me.id })
  await grantAdminIfConfigured(tx, config, id)
  await emit(tx, 'member.unsuspended', { id })
}

/**
 * Ends all suspensions of a member. If ADMIN_EMAIL lists the verified address of the account, the member
 * becomes an admin again.
 */
export async function unsuspendMember(
  { emit, config }: Pick<AppContext, 'emit' | 'config'>,
  tx: Tx,
  id: number,
  ended_by: number | null,
) {
  const wasSuspended = await isMemberSuspended(tx, id)
  await tx.deleteFrom('suspensions').where('user_id', '=', id).execute()
  await tx.deleteFrom('deletion_suspensions').where('user_id', '=', id).execute()
  if (wasSuspended) {
    await recordSecurityEvent(tx, id, 'unsuspended', { actor_id: ended_by })
    await grantAdminIfConfigured(tx, config, id)
  }
  await emit(tx, 'member.unsuspended', { id })
}

/**
 * Locks the row of an account in `users`, so that no other transaction suspends the member until the
 * commit: code that suspends a member locks the same row first (see `lockAndReadAccount`). SQLite needs no
 * lock, because it runs one transaction at a time.
 */
async function lockAgainstSuspension(tx: Tx, id: number) {
  if (isPostgres(tx))
    await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/**
 * The handler of the job `end_suspension`: ends the suspension of the member that ends at `ends_at`.
 * Does nothing if an admin has ended the suspension before, or if the suspension has another end now. A
 * member whose account waits for its deletion stays suspended.
 */
export const endExpiredSuspension = (
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
    if (!numDeletedRows || (await isMemberSuspended(tx, user_id))) return
    await recordSecurityEvent(tx, user_id, 'unsuspended', { by_operator: false })
    await grantAdminIfConfigured(tx, config, user_id)
    await emit(tx, 'member.unsuspended', { id: user_id })
  })

/**
 * Returns the SQL condition, for migrations of later features, that the member `user` was an admin at the
 * time `at`.
 */
export const createWasAdminAtTimeSql = (user: string, at: string) =>
  `(exists (select 1 from admins where admins.user_id = ${user} and admins.created_at <= ${at})
    or exists (select 1 from security_log where security_log.user_id = ${user}
      and security_log.kind = 'admin_revoked' and security_log.created_at >= ${at}))`

import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { foldCase } from '#core/contract.ts'
import { currentIsoTime, type Db, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrors } from '#core/http/errors.ts'
import { recordSecurityEvent } from './security-log.ts'
import { endAllSessions } from './sessions.ts'
import { isSuspended, notSuspendedCondition } from './visibility.ts'

// ── Admins ──────────────────────────────────────────────────────────────────

/**
 * Makes a member an admin. Returns false for a suspended member, who stays as they are: an admin who cannot
 * log in must not count as the last one.
 */
export async function grantAdmin(tx: Tx, id: number, granted_by: number | null = null) {
  if (await isSuspended(tx, id)) return false
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('admins')
    .values({ user_id: id, granted_by, created_at: currentIsoTime() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) await recordSecurityEvent(tx, id, 'admin_granted', { actor_id: granted_by })
  return true
}

/** Takes the right of an admin away. Returns false if the account has none. */
export async function revokeAdmin(tx: Tx, id: number, revoked_by: number | null = null) {
  const { numDeletedRows } = await tx.deleteFrom('admins').where('user_id', '=', id).executeTakeFirstOrThrow()
  if (!numDeletedRows) return false
  await recordSecurityEvent(tx, id, 'admin_revoked', { actor_id: revoked_by })
  return true
}

/** For this time after the loss of the right, other admins cannot open an account, in ms. */
const PROTECTION_AFTER_REVOCATION = 7 * 24 * 3600_000

/**
 * Whether an account is that of an admin, or was so in the last seven days. Admins do not open such accounts:
 * otherwise one of them could take the right away, open the account, and give the right back.
 */
export const isOrWasAdmin = async (db: Db, id: number) =>
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
 * Throws 403 unless the account is that of an admin, and keeps the right until the commit. Changes by an
 * admin call this, because the right may have been taken since the request began.
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

/** The addresses of ADMIN_EMAIL, folded as in the column `email_key`. */
const listConfiguredAdminEmails = ({ ADMIN_EMAIL }: Config) => ADMIN_EMAIL.map(foldCase)

const configuredAdminsQuery = (tx: Tx, config: Config) =>
  tx
    .selectFrom('users')
    .select('id')
    .where('email_key', 'in', listConfiguredAdminEmails(config))
    .where('email_verified_at', 'is not', null)
    .where(notSuspendedCondition('users.id'))

/**
 * Makes an admin of each account whose e-mail address is verified and listed in ADMIN_EMAIL. An unverified
 * address does not count, because anybody may register it, but only its owner receives the verification mail.
 * Such an account becomes an admin when it verifies the address, and a suspended one when it is unsuspended.
 */
export const grantConfiguredAdmins = (db: Db, config: Config) =>
  transaction(db, async (tx) => {
    if (!config.ADMIN_EMAIL.length) return
    for (const { id } of await configuredAdminsQuery(tx, config).execute()) await grantAdmin(tx, id)
  })

/** Makes one account an admin if the conditions of `grantConfiguredAdmins` hold for it. */
export async function grantIfConfiguredAdmin(tx: Tx, config: Config, id: number) {
  if (!config.ADMIN_EMAIL.length) return
  if (await hasMatchingRow(configuredAdminsQuery(tx, config).where('id', '=', id))) await grantAdmin(tx, id)
}

// ── Suspension ──────────────────────────────────────────────────────────────

/** Suspends a member: ends all sessions and prevents new ones. Posts and messages of the member stay. */
export async function suspendMember(
  { realtime, emit }: AppContext,
  tx: Tx,
  id: number,
  suspended_by: number,
) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suspensions')
    .values({ user_id: id, suspended_by, created_at: currentIsoTime() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) await recordSecurityEvent(tx, id, 'suspended', { actor_id: suspended_by })
  await endAllSessions(tx, realtime, id)
  await emit(tx, 'member.suspended', { id, suspended_by })
}

/** Ends a suspension. If ADMIN_EMAIL lists the address of the account, it becomes an admin. */
export async function unsuspendMember({ emit, me, config }: MemberContext, tx: Tx, id: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('suspensions')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows) {
    await recordSecurityEvent(tx, id, 'unsuspended', { actor_id: me.id })
    await grantIfConfiguredAdmin(tx, config, id)
  }
  await emit(tx, 'member.unsuspended', { id })
}

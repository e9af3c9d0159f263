import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { foldCase } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { recordSecurityEvent } from './security-log.ts'
import { endAllSessions } from './sessions.ts'
import { isSuspended } from './visibility.ts'

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

export async function revokeAdmin(tx: Tx, id: number, revoked_by: number | null = null) {
  const { numDeletedRows } = await tx.deleteFrom('admins').where('user_id', '=', id).executeTakeFirstOrThrow()
  if (numDeletedRows) await recordSecurityEvent(tx, id, 'admin_revoked', { actor_id: revoked_by })
}

export const isAdmin = async (db: Db, id: number) =>
  (await db.selectFrom('admins').select('user_id').where('user_id', '=', id).executeTakeFirst()) !== undefined

/** The addresses of ADMIN_EMAIL, folded as in the column `email_key`. */
export const configuredAdminEmails = ({ ADMIN_EMAIL }: Config) => ADMIN_EMAIL.map(foldCase)

/**
 * Makes an admin of each account whose e-mail address is verified and listed in ADMIN_EMAIL. An unverified
 * address does not count, because anybody may register it, but only its owner receives the verification mail.
 * Such an account becomes an admin when it verifies the address.
 */
export const grantConfiguredAdmins = (db: Db, config: Config) =>
  transaction(db, async (tx) => {
    if (!config.ADMIN_EMAIL.length) return
    const accounts = await tx
      .selectFrom('users')
      .select('id')
      .where('email_key', 'in', configuredAdminEmails(config))
      .where('email_verified_at', 'is not', null)
      .execute()
    for (const { id } of accounts) await grantAdmin(tx, id)
  })

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

export async function unsuspendMember({ emit, me }: MemberContext, tx: Tx, id: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('suspensions')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows) await recordSecurityEvent(tx, id, 'unsuspended', { actor_id: me.id })
  await emit(tx, 'member.unsuspended', { id })
}

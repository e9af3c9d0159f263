import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import type { SecurityEventKind } from './security-event-kinds.ts'

const DAY = 24 * 3600 * 1000
const NETWORK_RETENTION = 90 * DAY
const RETENTION = 365 * DAY

const ago = (time: number) => new Date(Date.now() - time).toISOString()

interface Details {
  network?: string
  actor_id?: number | null
  /** The role of the person who caused the event (`actor_id`), for the audit log. Default: admin. */
  role?: 'admin' | 'moderator'
  /** Whether the operator caused the event at the command line. */
  by_operator?: boolean
}

/**
 * The events that only an admin, a moderator or the operator causes. If such an event has no `actor_id`,
 * the operator has caused it.
 */
const causedByAdmins: readonly SecurityEventKind[] = [
  'admin_granted',
  'admin_revoked',
  'moderator_granted',
  'moderator_revoked',
  'marked_as_known',
  'suspended',
  'unsuspended',
  'reset_code_created',
  'created_by_admin',
  'card_created',
]

/**
 * Records a security event of an account, in the transaction of the change. If the event has an `actor_id`,
 * or the operator caused it, also adds the event to the audit log. Also deletes the expired entries and
 * networks of all accounts from the security log.
 */
export async function recordSecurityEvent(
  tx: Tx,
  user_id: number,
  kind: SecurityEventKind,
  { network, actor_id, role = 'admin', by_operator = causedByAdmins.includes(kind) }: Details = {},
) {
  const row = {
    user_id,
    kind,
    network: network ?? null,
    actor_id: actor_id ?? null,
    created_at: currentIsoTime(),
  }
  await tx.insertInto('security_log').values(row).execute()
  if (row.actor_id !== null || by_operator)
    await recordAuditLogEntry(tx, {
      action: kind,
      subject: 'member',
      subject_id: user_id,
      actor_id: row.actor_id,
      role,
    })
  await deleteExpiredSecurityLogData(tx)
}

export async function deleteExpiredSecurityLogData(tx: Tx) {
  await tx
    .updateTable('security_log')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('created_at', '<', ago(NETWORK_RETENTION))
    .execute()
  await tx.deleteFrom('security_log').where('created_at', '<', ago(RETENTION)).execute()
}

/**
 * Returns one page of a member's security events, newest first. Returns one event more than the page holds if
 * there is a next page.
 */
export const listSecurityEvents = (db: Db, user_id: number, page: PaginationParameters) =>
  limitQueryToKeysetPagePlusOneRow(
    db
      .selectFrom('security_log')
      .select(['id', 'kind', 'network', 'created_at', 'actor_id'])
      .where('user_id', '=', user_id),
    'id',
    page,
    'desc',
  ).execute()

import * as auditLog from '#core/audit-log/audit-log.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import type { PageParams } from '#core/schemas.ts'
import type { SecurityEventKind } from './security-event-kinds.ts'

const DAY = 24 * 3600 * 1000
const NETWORK_RETENTION = 90 * DAY
const RETENTION = 365 * DAY

const ago = (time: number) => new Date(Date.now() - time).toISOString()

interface Details {
  network?: string
  actor_id?: number | null
  /** For the audit log; by default admin. */
  role?: 'admin' | 'moderator'
  by_operator?: boolean
}

/** Without an `actor_id`, the operator has caused them. */
const causedByAdmins: readonly SecurityEventKind[] = [
  'admin_granted',
  'admin_revoked',
  'moderator_granted',
  'moderator_revoked',
  'announcer_granted',
  'announcer_revoked',
  'marked_as_known',
  'suspended',
  'unsuspended',
  'reset_code_created',
  'created_by_admin',
  'card_created',
]

/** With an `actor_id` or by the operator also in the audit log. Deletes the expired data of all accounts. */
export async function record(
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
    created_at: isoNow(),
  }
  await tx.insertInto('security_log').values(row).execute()
  if (row.actor_id !== null || by_operator)
    await auditLog.record(tx, {
      action: kind,
      subject: 'member',
      subject_id: user_id,
      actor_id: row.actor_id,
      role,
    })
  await deleteExpired(tx)
}

export async function deleteExpired(tx: Tx) {
  await tx
    .updateTable('security_log')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('created_at', '<', ago(NETWORK_RETENTION))
    .execute()
  await tx.deleteFrom('security_log').where('created_at', '<', ago(RETENTION)).execute()
}

/** Newest first. One row more if a page follows. */
export const list = (db: Db, user_id: number, page: PageParams) =>
  pageOf(
    db
      .selectFrom('security_log')
      .select(['id', 'kind', 'network', 'created_at', 'actor_id'])
      .where('user_id', '=', user_id),
    'id',
    page,
    'desc',
  ).execute()

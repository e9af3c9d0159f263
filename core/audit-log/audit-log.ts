import { isoNow, type Tx } from '#core/database/database.ts'
import { findKeeper } from './keeper.ts'
import { hashRow, isSealed, sealHead, sealRow } from './seals.ts'
import { type AuditLogRow, headColumns } from './tables.ts'

export type NewEntry = Pick<AuditLogRow, 'action' | 'subject'> &
  Partial<Pick<AuditLogRow, 'actor_id' | 'subject_id'>> & {
    detail?: object
    role?: 'admin' | 'moderator' | 'member' | 'system'
  }

/**
 * Adds an action to the audit log, in the transaction of the action. `role` is the role of the member
 * `actor_id`. Without `actor_id`, the action is one of the operator, or of the system if `role` is
 * `system`. First updates the row of `audit_log_head`, which locks this row until the commit, so that
 * concurrent actions form one chain. A head without a right seal does not stop the action, but is remembered.
 */
export async function record(
  tx: Tx,
  { action, subject, actor_id = null, subject_id = null, detail, role = 'admin' }: NewEntry,
) {
  const keeper = findKeeper(tx.root)
  const key = keeper?.key ?? null
  const { entries: id, ...head } = await tx
    .updateTable('audit_log_head')
    .set((q) => ({ entries: q('entries', '+', 1) }))
    .where('id', '=', 1)
    .returning(headColumns)
    .executeTakeFirstOrThrow()
  const row = {
    id,
    created_at: isoNow(),
    role: actor_id === null && role !== 'system' ? ('operator' as const) : role,
    actor_id,
    action,
    subject,
    subject_id,
    detail: detail ? JSON.stringify(detail) : null,
  }
  const hash = hashRow(row, head.hash)
  await tx
    .insertInto('audit_log')
    .values({ ...row, hash, mac: key && sealRow(key, { id, hash }) })
    .execute()
  const wasSealed = key !== null && isSealed(key, { ...head, entries: id - 1 })
  const next = { hash, unproven_from: head.unproven_from ?? (wasSealed ? null : id) }
  const mac = key && sealHead(key, { ...head, ...next, entries: id })
  await tx
    .updateTable('audit_log_head')
    .set({ ...next, mac })
    .where('id', '=', 1)
    .execute()
  if (keeper?.follow) tx.afterCommit(keeper.follow)
}

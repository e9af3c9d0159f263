import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { retryFailedJobs } from '#core/jobs/jobs.ts'
import { requireAdmin } from '#features/people/admins.ts'

/**
 * Makes the mails that were given up due again, for an admin or the operator (null). Returns how many, and
 * records it in the audit log if there are any.
 */
export async function retryFailedMails(tx: Tx, actor_id: number | null) {
  const mails = await retryFailedJobs(tx, 'mail')
  const entry = { action: 'mails_retried', subject: 'settings', actor_id, detail: { mails } } as const
  if (mails) await recordAuditLogEntry(tx, entry)
  return mails
}

export const retryFailedMailsAsAdmin = ({ db, me }: Pick<MemberContext, 'db' | 'me'>) =>
  transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    return { mails: await retryFailedMails(tx, me.id) }
  })

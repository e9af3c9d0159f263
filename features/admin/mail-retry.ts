import * as auditLog from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { retryFailed } from '#core/jobs/jobs.ts'
import { requireAdmin } from '#features/people/admins.ts'

/** `actor_id` is null for the operator. Returns how many mails are due again. */
export async function retryMails(tx: Tx, actor_id: number | null) {
  const mails = await retryFailed(tx, 'mail')
  const entry = { action: 'mails_retried', subject: 'settings', actor_id, detail: { mails } } as const
  if (mails) await auditLog.record(tx, entry)
  return mails
}

export const retryAsAdmin = ({ db, me }: Pick<MemberContext, 'db' | 'me'>) =>
  transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    return { mails: await retryMails(tx, me.id) }
  })

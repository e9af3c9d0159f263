import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueueThrottledJob } from '#core/jobs/jobs.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { lockActiveAdminRowsAndListIds } from '#features/people/accounts.ts'
import { readMemberLanguage } from '#features/people/languages.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import { createWaitingJoinRequestsMailToAdmin } from './join-request-mails.ts'

/** The minimum time between two mails to the admins about requests to join, in ms. */
const NOTICE_INTERVAL = 15 * 60_000

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /**
     * The payload of the job that tells the admins by mail how many requests to join wait. The job
     * does nothing if no request has come since the last such mail.
     */
    join_request_notice: Record<string, never>
  }
}

/**
 * Enqueues the job that tells the admins by mail about a new request to join. The job runs at once, or a
 * quarter of an hour after the last such mail.
 */
export const enqueueWaitingJoinRequestsMailJob = (tx: Tx) =>
  enqueueThrottledJob(tx, 'join_request_notice', {}, NOTICE_INTERVAL)

/**
 * Enqueues a mail to each admin with a verified address, in the admin's language, that says how many join
 * requests wait for a decision. Enqueues nothing if no request has come since the last such mail.
 */
export const enqueueWaitingJoinRequestsMailForEachAdmin = (context: AppContext) =>
  transaction(context.db, async (tx) => {
    const told = await tx
      .updateTable('join_requests')
      .set({ announced_at: currentIsoTime() })
      .where('entered_at', 'is not', null)
      .where('announced_at', 'is', null)
      .returning('id')
      .execute()
    if (!told.length) return
    const count = await countWaitingJoinRequests(tx)
    for (const id of await lockActiveAdminRowsAndListIds(tx)) {
      const admin = await readNameHandleEmailAndVerifiedTime(tx, id)
      if (!admin?.email || !admin.email_verified_at) continue
      const { name, email } = admin
      const lang = await readMemberLanguage(tx, id, context.settings.current().default_language ?? 'en')
      await enqueueMail(tx, id, createWaitingJoinRequestsMailToAdmin(context, { name, email, lang }, count))
    }
  })

/** Returns the number of requests to join that wait for an admin. */
export async function countWaitingJoinRequests(db: Db) {
  const { count } = await db
    .selectFrom('join_requests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('entered_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

import type { AppContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueueThrottled } from '#core/jobs/jobs.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import * as accounts from '#features/people/accounts.ts'
import { languageOf } from '#features/people/languages.ts'
import * as people from '#features/people/read.ts'
import * as joinMails from './join-request-mails.ts'

/** In ms, between two mails. */
const NOTICE_INTERVAL = 15 * 60_000

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Does nothing if no request has come since the last such mail. */
    join_request_notice: Record<string, never>
  }
}

/** At once, or a quarter of an hour after the last such mail. */
export const enqueue = (tx: Tx) => enqueueThrottled(tx, 'join_request_notice', {}, NOTICE_INTERVAL)

/**
 * To verified addresses of admins who want it, in their language. Nothing if no request has come since the last such mail.
 */
export const mailAdmins = (context: AppContext) =>
  transaction(context.db, async (tx) => {
    const told = await tx
      .updateTable('join_requests')
      .set({ announced_at: isoNow() })
      .where('entered_at', 'is not', null)
      .where('announced_at', 'is', null)
      .returning('id')
      .execute()
    if (!told.length) return
    const count = await countWaiting(tx)
    for (const id of await accounts.lockAdmins(tx)) {
      const admin = await people.findRecipient(tx, id)
      if (!admin?.email || !admin.email_verified_at) continue
      if (!(await context.wantsMail(tx, id, 'join_request'))) continue
      const { name, email } = admin
      const lang = await languageOf(tx, id, context.settings.current().default_language ?? 'en')
      await enqueueMail(tx, id, joinMails.waiting(context, { name, email, lang }, count))
    }
  })

/** For a new admin. */
export const listWaiting = (db: Db, limit: number) =>
  db
    .selectFrom('join_requests')
    .select('id')
    .where('entered_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export async function countWaiting(db: Db) {
  const { count } = await db
    .selectFrom('join_requests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('entered_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { renderMailMessage } from '#core/mail/template.ts'
import { readMemberLanguage } from '#features/people/languages.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import { isMemberSuspended } from '#features/people/visibility.ts'
import { hasGuardianWaitingContactRequests } from './read.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** The job that tells a guardian by mail that contact requests wait for a decision. */
    guardian_mail: { user_id: number }
  }
}

/** The minimum time between two mails to one guardian, in milliseconds. */
const INTERVAL = 15 * 60_000

const mailTexts = {
  en: {
    subject: (app: string) => `${app}: a new contact waits for you`,
    text: 'Somebody would like to be in touch with a child whose guardian you are, or the child with them. Please look at it and decide.',
    button: 'Look at it',
  },
  ja: {
    subject: (app: string) => `【${app}】新しい連絡先の承認をお願いします`,
    text: '見守っているお子さまに、新しくやり取りを始めたい相手がいます。確認のうえ、承認するかどうかを決めてください。',
    button: '確認する',
  },
} satisfies Record<Language, object>

/**
 * Enqueues a job that sends a mail about the waiting contact requests to a guardian: now, or a quarter of an
 * hour after the last such mail. Does nothing if such a job is enqueued already, because its mail is about
 * all requests.
 */
export async function enqueueContactRequestMailToGuardian(tx: Tx, user_id: number) {
  const now = currentIsoTime()
  // The statement locks the row of the guardian, so that two concurrent requests enqueue only one job.
  const { is_waiting, next_at } = await tx
    .insertInto('guardian_mails')
    .values({ user_id, next_at: now, is_waiting: 0 })
    .onConflict((c) => c.column('user_id').doUpdateSet({ user_id }))
    .returning(['is_waiting', 'next_at'])
    .executeTakeFirstOrThrow()
  if (is_waiting) return
  await tx.updateTable('guardian_mails').set({ is_waiting: 1 }).where('user_id', '=', user_id).execute()
  await enqueueJob(tx, 'guardian_mail', { user_id }, { runAt: new Date(next_at > now ? next_at : now) })
}

/**
 * The handler of the job `guardian_mail`: sends a mail about waiting contact requests to a guardian.
 * Does nothing if no request waits any more, if the server has no SMTP_URL, or if the guardian is suspended
 * or has no verified e-mail address.
 */
export const sendContactRequestMailToGuardian = (
  { db, config, settings, publicSite }: AppContext,
  user_id: number,
) =>
  transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('guardian_mails')
      .set({ is_waiting: 0 })
      .where('user_id', '=', user_id)
      .where('is_waiting', '=', 1)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows || !(await hasGuardianWaitingContactRequests(tx, user_id))) return
    const recipient = await readNameHandleEmailAndVerifiedTime(tx, user_id)
    // Sends no mail without SMTP_URL, because only the operator could read it, and none to an unverified
    // address, because the address may be a stranger's.
    if (!config.SMTP_URL || !recipient?.email || !recipient.email_verified_at) return
    if (await isMemberSuspended(tx, user_id)) return
    await tx
      .updateTable('guardian_mails')
      .set({ next_at: new Date(Date.now() + INTERVAL).toISOString() })
      .where('user_id', '=', user_id)
      .execute()
    const lang = await readMemberLanguage(tx, user_id, settings.current().default_language ?? 'en')
    const t = mailTexts[lang]
    const mail = renderMailMessage({
      lang,
      site: publicSite,
      to: recipient.email,
      name: recipient.name,
      subject: t.subject(publicSite.name),
      paragraphs: [t.text],
      button: { label: t.button, link: `${publicSite.origin}/guardian` },
    })
    await enqueueMail(tx, user_id, mail)
  })

import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { languageOf } from '#features/people/languages.ts'
import { canMail, mailMember } from '#features/people/member-mails.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import * as read from './read.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Tells a guardian that contact requests wait. */
    guardian_mail: { user_id: number }
  }
}

/** Between two mails to one guardian, in ms. */
const INTERVAL = 15 * 60_000

const mailTexts = {
  en: {
    subject: (app: string) => `${app}: a new contact waits for you`,
    text: 'Somebody would like to be in touch with a child whose guardian you are, or the child with them. Please look at it and decide.',
    button: 'Look at it',
    end: 'You can turn these mails off in the notification settings.',
  },
  ja: {
    subject: (app: string) => `【${app}】お子さまのやり取りについて（承認のお願い）`,
    text: '見守っているお子さまに、新しくやり取りを始めたい相手がいます。確認のうえ、承認するかどうかを決めてください。',
    button: '確認する',
    end: 'このメールは、通知の設定でオフにできます。',
  },
} satisfies Record<Language, object>

/** Runs now, or a quarter of an hour after the last such mail. One waiting job is about all requests. */
export async function enqueueRequestMail(tx: Tx, user_id: number) {
  const now = isoNow()
  // The statement locks the guardian's row: two concurrent requests enqueue only one job.
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
 * Does nothing if no request waits any more, or if the guardian is suspended, cannot get mail, or has turned
 * these off.
 */
export const sendRequestMail = (
  { db, config, settings, publicSite, wantsMail }: AppContext,
  user_id: number,
) =>
  transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('guardian_mails')
      .set({ is_waiting: 0 })
      .where('user_id', '=', user_id)
      .where('is_waiting', '=', 1)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows || !(await read.hasRequests(tx, user_id))) return
    const recipient = await people.findRecipient(tx, user_id)
    if (!canMail(config, recipient)) return
    if (await visibility.isSuspended(tx, user_id)) return
    if (!(await wantsMail(tx, user_id, 'contact_request'))) return
    await tx
      .updateTable('guardian_mails')
      .set({ next_at: new Date(Date.now() + INTERVAL).toISOString() })
      .where('user_id', '=', user_id)
      .execute()
    const lang = await languageOf(tx, user_id, settings.current().default_language ?? 'en')
    const t = mailTexts[lang]
    await mailMember({ publicSite }, tx, user_id, recipient, {
      lang,
      subject: t.subject,
      paragraphs: [t.text],
      button: { label: t.button, path: '/guardian' },
      closing: [t.end],
    })
  })

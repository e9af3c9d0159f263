import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { enqueueThrottled } from '#core/jobs/jobs.ts'
import { languageOf } from '#features/people/languages.ts'
import { canMail, mailMember } from '#features/people/member-mails.ts'
import { listModeratorIds } from '#features/people/moderators.ts'
import * as people from '#features/people/read.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Tells moderators that reports wait. */
    report_mail: Record<string, never>
  }
}

/** In ms, between two mails. */
const INTERVAL = 15 * 60_000

const texts = {
  en: {
    subject: (app: string) => `${app}: a new report waits`,
    text: 'A member has reported something. Please look at it and decide.',
    button: 'Show the reports',
    end: 'You can turn these mails off in the notification settings.',
  },
  ja: {
    subject: (app: string) => `【${app}】新しい報告があります`,
    text: 'メンバーから報告がありました。内容を確認し、対応を決めてください。',
    button: '報告を見る',
    end: 'このメールは、通知の設定でオフにできます。',
  },
} satisfies Record<Language, object>

/** At once, or a quarter of an hour after the last such mail. */
export async function enqueue(tx: Tx) {
  await lockName(tx, 'report mails')
  await enqueueThrottled(tx, 'report_mail', {}, INTERVAL)
}

/**
 * About the reports since the last such mail, without anything of them. Not to their reporters and not to the
 * people they are about.
 */
export const send = (context: AppContext) =>
  transaction(context.db, async (tx) => {
    const { config, settings } = context
    const told = await tx
      .updateTable('reports')
      .set({ announced_at: isoNow() })
      .where('announced_at', 'is', null)
      .returning('id')
      .execute()
    if (!told.length || !config.SMTP_URL) return
    const ids = told.map(({ id }) => id)
    for (const user of await listModeratorIds(tx)) {
      const recipient = await people.findRecipient(tx, user)
      if (!canMail(config, recipient)) continue
      if (!(await isTold(tx, user, ids)) || !(await context.wantsMail(tx, user, 'report'))) continue
      const lang = await languageOf(tx, user, settings.current().default_language ?? 'en')
      const t = texts[lang]
      await mailMember(context, tx, user, recipient, {
        lang,
        subject: t.subject,
        paragraphs: [t.text],
        button: { label: t.button, path: '/moderation' },
        closing: [t.end],
      })
    }
  })

/** One of the reports still waits, and is neither by nor about the moderator. */
const isTold = (tx: Tx, user: number, reports: readonly number[]) =>
  hasMatchingRow(
    tx
      .selectFrom('reports as r')
      .innerJoin('report_cases as c', 'c.id', 'r.case_id')
      .select('r.id')
      .where('r.id', 'in', reports)
      .where('r.reporter_id', '!=', user)
      .where('c.author_id', '!=', user)
      .where('c.closed_at', 'is', null),
  )

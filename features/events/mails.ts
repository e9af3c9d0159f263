import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { transaction } from '#core/database/transaction.ts'
import { JobPostponed } from '#core/jobs/postponed.ts'
import * as notificationSettings from '#features/notifications/settings.ts'
import { languageOf } from '#features/people/languages.ts'
import { canMail, mailMember } from '#features/people/member-mails.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import { createToken } from './links.ts'
import * as read from './read.ts'
import { whenOf } from './times.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Asks one member for an answer. */
    event_mail: { date: number; user: number }
  }
}

const texts = {
  en: {
    subject: (title: string) => (app: string) => `${app}: ${title}`,
    ask: 'Are you coming? The button opens a page where you answer without logging in.',
    button: 'Answer',
    end: 'The link is yours alone.',
  },
  ja: {
    subject: (title: string) => (app: string) => `【${app}】${title}`,
    ask: '参加するかどうか、お知らせください。下のボタンから、ログインせずに回答できます。',
    button: '回答する',
    end: 'このリンクはご本人専用です。',
  },
} satisfies Record<Language, object>

/** Does nothing once the member has said yes or no, and for those who want or can get no mail. */
export async function send(context: AppContext, { date: id, user }: { date: number; user: number }) {
  const { db, config, settings } = context
  const quietEnd = await notificationSettings.findQuietEnd(context, user)
  if (quietEnd) throw new JobPostponed(quietEnd.getTime() - Date.now())
  await transaction(db, async (tx) => {
    const recipient = await people.findRecipient(tx, user)
    if (!canMail(config, recipient) || !(await context.wantsMail(tx, user, 'event_reminder'))) return
    if (await visibility.isSuspended(tx, user)) return
    const [date] = await read.visibleDates({ ...withoutRoles(context, user), db: tx }, [id])
    if (!date || date.is_closed || date.cancelled_at !== null) return
    if (date.mine && date.mine.answer !== 'maybe') return
    const lang = await languageOf(tx, user, settings.current().default_language ?? 'en')
    const t = texts[lang]
    await mailMember(context, tx, user, recipient, {
      lang,
      subject: t.subject(date.title),
      paragraphs: [date.title, [whenOf(date, lang), date.place].filter(Boolean).join(' / '), t.ask],
      button: { label: t.button, path: `/events/answer/${createToken(context, { date: id, user })}` },
      closing: [t.end],
    })
  })
}

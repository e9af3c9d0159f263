import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJobs } from '#core/jobs/jobs.ts'
import { RetryLater, startJobRunner } from '#core/jobs/runner.ts'
import * as guardians from '#features/guardians/read.ts'
import { BATCH, removeAll, runInBatches } from '#features/notifications/batches.ts'
import * as notificationSettings from '#features/notifications/settings.ts'
import * as tasks from '#features/notifications/tasks.ts'
import { languageOf } from '#features/people/languages.ts'
import { canMail, mailMember } from '#features/people/member-mails.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import { findOpen, kindOf, lockOpen } from './answers.ts'
import { createToken } from './links.ts'
import { endOf, firstOf } from './positions.ts'
import { isWaiting } from './read.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    tell_roll_call: { roll_call: number }
    end_roll_call: { roll_call: number; kind: ReturnType<typeof kindOf> | 'roll_call_help' }
    roll_call_mail: { roll_call: number; user: number }
  }
}

/** In ms. */
const JOB_TIMES = { lease: 15_000, attemptTimeout: 300_000 }
const JOB_RETRY_DELAYS = [1, 5, 30, 120, 600, 3600].map((seconds) => seconds * 1000)

/** Apart from other jobs, so that a roll call does not wait for slow mail. */
export function startRunner(context: AppContext, retryDelays: readonly number[] = JOB_RETRY_DELAYS) {
  const { db, log } = context
  return startJobRunner({
    db,
    log,
    handlers: {
      tell_roll_call: ({ roll_call }, { signal }) =>
        runInBatches(context, signal, (tx, after) => tellNext(context, tx, roll_call, after)),
      end_roll_call: ({ roll_call: subject, kind }, { signal }) =>
        removeAll(context, { kind, subject }, signal),
    },
    retryDelays,
    ...JOB_TIMES,
  })
}

/** Members with ids above `after`, and their guardians. Returns the highest of these ids. */
async function tellNext(context: AppContext, tx: Tx, id: number, after: number) {
  const call = await lockOpen(tx, id)
  if (!call) return undefined
  const rows = await tx
    .selectFrom('roll_call_members')
    .select('user_id')
    .where('roll_call_id', '=', id)
    .where('user_id', '>', after)
    .where('position', '>=', firstOf('none'))
    .where('position', '<', endOf('none'))
    .where(visibility.notSuspended('user_id'))
    .orderBy('user_id')
    .limit(BATCH)
    .execute()
  const members = rows.map(({ user_id }) => user_id)
  if (!members.length) return undefined
  const guarding = await guardians.guardianPairs(tx).where('g.child_id', 'in', members).execute()
  const told = [...new Set([...members, ...guarding.map(({ guardian_id }) => guardian_id)])]
  const added = await tasks.addMany(context, tx, told, { kind: kindOf(call), subject: id })
  if (context.config.SMTP_URL)
    await enqueueJobs(
      tx,
      'roll_call_mail',
      added.map((user) => ({ roll_call: id, user })),
    )
  return members.at(-1)
}

const mailTexts = {
  en: {
    subject: (title: string) => (app: string) => `${app}: ${title}`,
    drill: (title: string) => `Drill: ${title}`,
    isDrill: 'This is a drill. Nothing has happened.',
    text: 'Please tell us whether you are safe. The button opens a page where you answer without logging in.',
    button: 'Answer now',
    end: 'The link is yours alone. It works for this roll call only, until it ends.',
  },
  ja: {
    subject: (title: string) => (app: string) => `【${app}】${title}`,
    drill: (title: string) => `［訓練］${title}`,
    isDrill: 'これは訓練です。実際の災害ではありません。',
    text: '無事かどうか、お知らせください。下のボタンから、ログインせずに回答できます。',
    button: '回答する',
    end: 'このリンクはご本人専用です。この安否確認が終わるまで使えます。',
  },
} satisfies Record<Language, object>

/** Does nothing once the member has answered, and for those who cannot get mail. */
export async function sendMail(
  context: AppContext,
  { roll_call, user }: { roll_call: number; user: number },
) {
  const { db, config, settings } = context
  const call = await findOpen(db, roll_call)
  const quietEnd = call?.is_drill ? await notificationSettings.findQuietEnd(context, user) : null
  if (quietEnd) throw new RetryLater('Quiet hours', quietEnd.getTime() - Date.now())
  await transaction(db, async (tx) => {
    const open = await lockOpen(tx, roll_call)
    const recipient = await people.findRecipient(tx, user)
    if (!open || !canMail(config, recipient) || (await visibility.isSuspended(tx, user))) return
    if (!(await isWaiting(tx, roll_call, user))) return
    const lang = await languageOf(tx, user, settings.current().default_language ?? 'en')
    const t = mailTexts[lang]
    await mailMember(context, tx, user, recipient, {
      lang,
      subject: t.subject(open.is_drill ? t.drill(open.title) : open.title),
      paragraphs: [...(open.is_drill ? [t.isDrill] : []), open.title, t.text],
      button: {
        label: t.button,
        path: `/roll-calls/answer/${createToken(context, { call: roll_call, user })}`,
      },
      closing: [t.end],
    })
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext, MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { addMany, BATCH } from '#features/notifications/many.ts'
import * as notifier from '#features/notifications/model.ts'
import * as visibility from '#features/people/visibility.ts'
import { subjects } from '#features/reactions/subjects.ts'
import { REMINDER_INTERVAL } from './contract.ts'
import * as missing from './missing.ts'
import { notAuthor, requireRunning } from './model.ts'
import * as read from './read.ts'
import * as polls from './rows.ts'
import type { PollRow } from './tables.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    poll_reminder: { poll: number; reminded_at: string }
  }
}

/** In ms, before each batch: not all windows reload at once. */
const PAUSE = 50

/**
 * Tells those who have not answered, except those who have muted the author. 403 for others than the author,
 * after the end, in a private chat, and within `REMINDER_INTERVAL` of the last one.
 */
export const remind = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const poll = await read.requirePoll({ ...context, db: tx }, id)
    if (poll.user_id !== context.me.id) throw notAuthor()
    requireRunning(poll)
    if (!(await placeOf(context, tx, poll))) throw onlyTwo()
    const reminded_at = isoNow()
    const { numUpdatedRows } = await tx
      .updateTable('polls')
      .set({ reminded_at })
      .where('id', '=', id)
      .where(({ or, eb }) => or([eb('reminded_at', 'is', null), eb('reminded_at', '<=', earliest())]))
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw tooEarly()
    await enqueueJob(tx, 'poll_reminder', { poll: id, reminded_at })
    return { reminded_at }
  })

const earliest = () => new Date(Date.now() - REMINDER_INTERVAL).toISOString()

/** What the notification is about. Null in a private chat, and if the post or message is hidden or gone. */
async function placeOf(context: AppContext, tx: Tx, poll: PollRow) {
  const { subject, id } = polls.subjectOf(poll)
  const [target] = await subjects[subject].read(context, tx, [id])
  if (subject === 'post') return target ? { kind: 'poll_reminder' as const, subject: id } : null
  const group = target?.group ?? null
  return group === null ? null : { kind: 'group_poll_reminder' as const, subject: group, source: id }
}

interface Reminder {
  poll: number
  reminded_at: string
}

/** The job. Members whom a killed one has told are not told again. */
export async function send({ db, ...context }: AppContext, reminder: Reminder, signal: AbortSignal) {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const last: number = after
    await sleep(PAUSE)
    signal.throwIfAborted()
    after = await transaction(db, (tx) => remindNext({ ...context, db: tx }, tx, reminder, last))
  }
}

/** Members with ids above `after`. Returns the highest of these ids; undefined if there are no more. */
async function remindNext(context: AppContext, tx: Tx, { poll: id, reminded_at }: Reminder, after: number) {
  const poll = await polls.find(tx, id)
  if (!poll || poll.user_id === null || polls.endOf(poll) !== null) return undefined
  const place = await placeOf(context, tx, poll)
  if (!place) return undefined
  const members = await visibility.listShownTo(context, poll.user_id, { after, limit: BATCH })
  if (!members.length) return undefined
  const told = await missing.listAmong(context, tx, poll, members)
  await addMany(context, tx, told, { ...place, actor: poll.user_id, since: reminded_at })
  return members.at(-1)
}

/** After an answer. */
export async function end(context: AppContext, tx: Tx, poll: PollRow, members: readonly number[]) {
  const place = await placeOf(context, tx, poll)
  if (!place || poll.user_id === null || poll.reminded_at === null) return
  for (const user of new Set(members))
    await notifier.endEvent(context, tx, { user, ...place, actor: poll.user_id })
}

const onlyTwo = () =>
  new HttpError(403, {
    en: 'In a private chat, just write again.',
    ja: '個別チャットでは、もう一度メッセージを送ってください。',
  })
const tooEarly = () =>
  new HttpError(403, {
    en: 'The last reminder was sent less than twelve hours ago. Please wait a little.',
    ja: '前にお知らせしてから、まだ12時間たっていません。もう少しお待ちください。',
  })

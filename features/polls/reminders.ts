import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import * as guardians from '#features/guardians/read.ts'
import * as batches from '#features/notifications/batches.ts'
import { addMany, BATCH } from '#features/notifications/many.ts'
import * as notifier from '#features/notifications/model.ts'
import * as visibility from '#features/people/visibility.ts'
import { requireTeller } from '#features/posts/announcements.ts'
import * as audiences from '#features/posts/audiences.ts'
import * as posts from '#features/posts/read.ts'
import { type Subject, subjects } from '#features/reactions/subjects.ts'
import { REMINDER_INTERVAL } from './contract.ts'
import * as missing from './missing.ts'
import * as read from './read.ts'
import * as polls from './rows.ts'
import type { PollRow } from './tables.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    poll_reminder: { poll: number; reminded_at: string }
    end_poll_reminders: { poll: number }
  }
}

/** Of a member in a day. Admins have no limit. */
const MAX_PER_DAY = 10

/**
 * Tells those who have not answered, except those who have muted the author. Outside of groups, only who may
 * tell everybody reminds everybody. 403 for others than the author, after the end, in a private chat or ended
 * group, and within `REMINDER_INTERVAL` of the last one; 404 while the post or message is hidden; 429 beyond the
 * limit.
 */
export const remind = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const poll = await read.requirePoll({ ...context, db: tx }, id)
    if (poll.user_id !== context.me.id) throw polls.notAuthor()
    polls.requireRunning(poll)
    const place = await placeOf(context, tx, poll)
    if (!place) throw polls.notFound()
    if (place.kind === 'poll_reminder') await audiences.requireOpen(context, tx, place.subject)
    else await audiences.requireOpenGroup(context, tx, place.subject)
    if (place.kind === 'poll_reminder' && !place.isInGroup) await requireTeller(context, tx, place.subject)
    await limit(context, tx)
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

async function limit({ me }: MemberContext, tx: Tx) {
  const { count } = await tx
    .selectFrom('polls')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', me.id)
    .where('reminded_at', '>', new Date(Date.now() - 86_400_000).toISOString())
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_PER_DAY && !me.is_admin) throw tooMany()
}

const earliest = () => new Date(Date.now() - REMINDER_INTERVAL).toISOString()

/** What the notification is about. Null if the post or message is hidden or gone; 403 in a private chat. */
async function placeOf(context: AppContext, tx: Tx, poll: PollRow) {
  const { subject, id } = polls.subjectOf(poll)
  const [target] = await subjects[subject].read(context, tx, [id])
  if (!target || isHidden(target)) return null
  if (subject === 'post') {
    const author = { ...withoutRoles(context, target.author), db: tx }
    const [found] = await posts.revisions(author, [id])
    return { kind: 'poll_reminder' as const, subject: id, isInGroup: found?.post.group_id !== undefined }
  }
  if (target.group === null) throw onlyTwo()
  return { kind: 'group_poll_reminder' as const, subject: target.group, source: id, isInGroup: true }
}

/** By a moderator: only its author sees it. */
const isHidden = ({ onlyFor, author }: Subject) =>
  Array.isArray(onlyFor) && onlyFor.every((viewer) => viewer === author)

interface Reminder {
  poll: number
  reminded_at: string
}

/** The job. Members whom a killed one has told are not told again. */
export const send = (context: AppContext, reminder: Reminder, signal: AbortSignal) =>
  batches.runInBatches(context, signal, (tx, after) =>
    remindNext({ ...context, db: tx }, tx, reminder, after),
  )

/** Members with ids above `after`. Returns the highest of these ids; undefined if there are no more. */
async function remindNext(context: AppContext, tx: Tx, { poll: id, reminded_at }: Reminder, after: number) {
  const found = await polls.find(tx, id)
  if (!found) return undefined
  // A vote takes the same lock, so nobody is told after their answer.
  const { subject, id: content } = polls.subjectOf(found)
  await subjects[subject].lock(context, tx, content)
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

/** After an answer, for the voter and the guardians of the voter, unless something else still waits for them. */
export async function end(context: AppContext, tx: Tx, poll: PollRow, voter: number) {
  if (poll.user_id === null || poll.reminded_at === null) return
  const place = await placeOf(context, tx, poll)
  if (!place) return
  const pairs = await guardians.guardianPairs(tx).where('g.child_id', '=', voter).execute()
  const members = [voter, ...pairs.map(({ guardian_id }) => guardian_id)]
  const waiting = new Set(await missing.listAmong(context, tx, poll, members))
  for (const user of members)
    if (!waiting.has(user)) await notifier.endEvent(context, tx, { user, ...place, actor: poll.user_id })
}

/** After the end of the poll. */
export const endAll = async (tx: Tx, { id: poll, reminded_at }: PollRow) => {
  if (reminded_at !== null) await enqueueJob(tx, 'end_poll_reminders', { poll })
}

/** The job. */
export async function removeAll(context: AppContext, id: number, signal: AbortSignal) {
  const poll = await polls.find(context.db, id)
  if (!poll) return
  const { subject, id: source } = polls.subjectOf(poll)
  if (subject === 'post')
    return batches.removeAll(context, { kind: 'poll_reminder', subject: source }, signal)
  await transaction(context.db, async (tx) => {
    const [target] = await subjects.message.read(context, tx, [source])
    if (target?.group != null)
      await notifier.deleteSource(context, tx, { kind: 'group_poll_reminder', subject: target.group, source })
  })
}

const onlyTwo = () =>
  new HttpError(403, {
    en: 'In a private chat, just write again.',
    ja: '個別チャットでは、もう一度メッセージを送ってください。',
  })
const tooMany = () =>
  new HttpError(429, {
    en: `You can remind of ${MAX_PER_DAY} polls a day.`,
    ja: `お知らせできる投票は、1日に${MAX_PER_DAY}件までです。`,
  })
const tooEarly = () =>
  new HttpError(403, {
    en: 'The last reminder was sent less than twelve hours ago. Please wait a little.',
    ja: '前にお知らせしてから、まだ12時間たっていません。もう少しお待ちください。',
  })

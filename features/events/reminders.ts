import { type RawBuilder, sql } from 'kysely'
import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { idIn, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueJob, enqueueJobs } from '#core/jobs/jobs.ts'
import * as batches from '#features/notifications/batches.ts'
import { addMany, BATCH } from '#features/notifications/many.ts'
import * as visibility from '#features/people/visibility.ts'
import { notTeller, tellable } from '#features/posts/announcements.ts'
import * as audiences from '#features/posts/audiences.ts'
import { REMINDER_INTERVAL } from './contract.ts'
import * as managers from './managers.ts'
import * as missing from './missing.ts'
import * as read from './read.ts'
import * as events from './rows.ts'
import type { AnswerRow, DateRow, ReminderKind } from './tables.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    event_reminder: { date: number; kind: ReminderKind; at: string }
    tell_event: Told
  }
}

const HOUR = 3600_000
/** In ms: before the beginning, to those who come. */
const SOON = 48 * HOUR
/** In ms: after the invitation, to those who have not answered; of later dates not earlier than `CLOSE`. */
const MISSING = 48 * HOUR
const CLOSE = 7 * 24 * HOUR
/** In ms: before the end of answers, to the undecided. */
const MAYBE = 24 * HOUR
/** Of one run. */
const RUN = 500

type Planned = Pick<DateRow, 'id' | 'begins_at' | 'answers_until'>

/** `invited`: when the dates were new. Those that would be in the past are left out. */
export async function plan(tx: Tx, dates: readonly Planned[], invited?: string) {
  const now = Date.now()
  const rows = dates.flatMap(({ id, begins_at, answers_until }) => {
    const begin = Date.parse(begins_at)
    const end = answers_until === null ? begin - SOON : Date.parse(answers_until)
    const at: Partial<Record<ReminderKind, number>> = { soon: begin - SOON, maybe: end - MAYBE }
    const asked = Math.max((invited === undefined ? now : Date.parse(invited)) + MISSING, end - CLOSE)
    if (asked < end) at.missing = asked
    return Object.entries(at).flatMap(([kind, time]) =>
      time > now ? { date_id: id, kind: kind as ReminderKind, due_at: new Date(time).toISOString() } : [],
    )
  })
  const ids = dates.map(({ id }) => id)
  await tx
    .deleteFrom('event_reminders')
    .where(idIn(tx, 'date_id', ids))
    .execute()
  if (rows.length) await tx.insertInto('event_reminders').values(rows).execute()
}

/** Resolves to whether more are due. */
export const begin = ({ db }: AppContext) =>
  transaction(db, async (tx) => {
    const due = await tx
      .selectFrom('event_reminders')
      .selectAll()
      .where('due_at', '<=', isoNow())
      .orderBy('due_at')
      .limit(RUN)
      .execute()
    for (const { date_id: date, kind } of due) {
      const deleted = await tx
        .deleteFrom('event_reminders')
        .where('date_id', '=', date)
        .where('kind', '=', kind)
        .executeTakeFirstOrThrow()
      if (deleted.numDeletedRows) await enqueueJob(tx, 'event_reminder', { date, kind, at: isoNow() })
    }
    return due.length === RUN
  })

/** By hand, to those who have not answered. 403 for others than those who manage it, and too early. */
export const remind = async (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const date = await read.requireDate(viewer, id)
    await managers.require(context, tx, date)
    await audiences.requireOpen(context, tx, date.post_id)
    if (events.isClosed(date) || date.cancelled_at !== null) throw isClosed()
    if (!(await tellable({ ...withoutRoles(context, date.user_id), db: tx }, [date.post_id])).size)
      throw notTeller()
    const reminded_at = isoNow()
    const earliest = new Date(Date.parse(reminded_at) - REMINDER_INTERVAL).toISOString()
    const { numUpdatedRows } = await tx
      .updateTable('event_dates')
      .set({ reminded_at })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('reminded_at', 'is', null), eb('reminded_at', '<=', earliest)]))
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw tooEarly()
    await enqueueJob(tx, 'event_reminder', { date: id, kind: 'missing', at: reminded_at })
    return read.get(viewer, id)
  })

/** The job. Members whom a killed one has told are not told again. */
export const send = (
  context: AppContext,
  { date, kind, at }: { date: number; kind: ReminderKind; at: string },
  signal: AbortSignal,
) =>
  batches.runInBatches(context, signal, async (tx, after) => {
    const found = await events.lock(tx, date)
    if (!found || found.cancelled_at !== null || events.hasBegun(found)) return undefined
    if (kind !== 'soon' && events.isClosed(found)) return undefined
    const { post_id: subject, user_id: actor } = found
    const inside = { ...context, db: tx }
    if (kind === 'missing' && !(await tellable(withoutRoles(inside, actor), [subject])).size) return undefined
    const members = await visibility.listShownTo(inside, actor, { after, limit: BATCH })
    if (!members.length) return undefined
    const asked =
      kind === 'missing'
        ? await missing.listAmong(inside, tx, found, members)
        : await withAnswer(tx, date, members, kind === 'soon' ? 'yes' : 'maybe')
    const kindOf = kind === 'soon' ? 'event_soon' : 'event_reminder'
    const others = kind === 'soon' ? asked : asked.filter((member) => member !== actor)
    const told = { kind: kindOf, subject, actor, source: date, since: at } as const
    const added = await addMany(inside, tx, others, told)
    if (kind !== 'soon' && context.config.SMTP_URL)
      await enqueueJobs(
        tx,
        'event_mail',
        added.map((user) => ({ date, user })),
      )
    return members.at(-1)
  })

/** Those with a place, or undecided; for a child its guardian too. */
const withAnswer = (tx: Tx, date: number, members: readonly number[], answer: 'yes' | 'maybe') =>
  concerned(tx, members, sql`date_id = ${date} and answer = ${answer} and queue is null`)

/** Those of the members who have such an answer, or gave it for a child. */
async function concerned(tx: Tx, members: readonly number[], condition: RawBuilder<unknown>) {
  const { rows } = await sql<Pick<AnswerRow, 'user_id' | 'guardian_id'>>`select user_id, guardian_id
    from event_answers where ${condition}
      and (${idIn(tx, 'user_id', members)} or ${idIn(tx, 'guardian_id', members)})`.execute(tx)
  const found = new Set(rows.flatMap(({ user_id, guardian_id }) => [user_id, guardian_id]))
  return members.filter((member) => found.has(member))
}

interface Told {
  kind: 'event_changed' | 'event_cancelled'
  post: number
  /** The date that the notification leads to. */
  source: number
  dates: number[]
  /** Who made the change, and hears nothing of it. */
  actor: number
  at: string
}

/** The job: to those who come, wait or are undecided, on any of the dates. In the name of who wrote the post. */
export const tell = (context: AppContext, told: Told, signal: AbortSignal) =>
  batches.runInBatches(context, signal, async (tx, after) => {
    const date = await events.find(tx, told.source)
    if (!date) return undefined
    const inside = { ...context, db: tx }
    const { post: subject, kind, source, at: since } = told
    const members = await visibility.listShownTo(inside, date.user_id, { after, limit: BATCH })
    if (!members.length) return undefined
    const answered = await concerned(tx, members, sql`${idIn(tx, 'date_id', told.dates)} and answer <> 'no'`)
    const users = answered.filter((user) => user !== told.actor && user !== date.user_id)
    await addMany(inside, tx, users, { kind, subject, actor: date.user_id, source, since })
    return members.at(-1)
  })

const isClosed = () =>
  new HttpError(403, {
    en: 'Nobody is asked any more: the time to answer is over.',
    ja: '回答は締め切られているため、お知らせできません。',
  })
const tooEarly = () =>
  new HttpError(403, {
    en: 'The last reminder was sent less than twelve hours ago. Please wait a little.',
    ja: '前にお知らせしてから、まだ12時間たっていません。もう少しお待ちください。',
  })

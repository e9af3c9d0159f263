import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import * as guardians from '#features/guardians/read.ts'
import * as notifier from '#features/notifications/model.ts'
import { lockMembers } from '#features/people/blocks.ts'
import { lockKey, prepare } from './broadcasts.ts'
import * as read from './read.ts'
import * as events from './rows.ts'
import type { Answer, EventDate } from './schemas.ts'
import * as seats from './seats.ts'
import type { AnswerRow } from './tables.ts'

export interface Given {
  answer: Answer
  note: string | null
  guests: number
  for?: number | undefined
}

/**
 * Runs a change of a visible date, which is locked, and then sends its event. 404 unless the member sees the
 * post.
 */
async function changeDate(
  context: MemberContext,
  id: number,
  change: (tx: Tx, date: events.FullDate) => Promise<unknown>,
): Promise<EventDate> {
  const { post_id } = await read.requireDate(context, id)
  return context.withLock(lockKey(post_id), () =>
    transaction(context.db, async (tx) => {
      const viewer = { ...context, db: tx }
      await lockMembers(tx, [context.me.id])
      await events.lock(tx, id)
      await change(tx, await read.requireDate(viewer, id))
      tx.afterCommit(await prepare(context, tx, id))
      return read.get(viewer, id)
    }),
  )
}

export const answer = (context: MemberContext, id: number, given: Given) =>
  changeDate(context, id, async (tx, date) => {
    const member = await requireVoter(context, tx, date, given.for)
    requireTakesPlace(date)
    const guests = given.answer === 'yes' ? given.guests : 0
    if (guests > date.max_guests) throw tooManyGuests(date.max_guests)
    const earlier = await find(tx, id, member)
    const queue = given.answer === 'yes' ? await placeFor(tx, date, member, 1 + guests, earlier) : null
    const said = {
      ...{ answer: given.answer, note: given.note, guests, queue, offered_until: null },
      guardian_id: member === context.me.id ? null : context.me.id,
      answered_at: isoNow(),
    }
    await tx
      .insertInto('event_answers')
      .values({ date_id: id, user_id: member, ...said })
      .onConflict((conflict) => conflict.columns(['date_id', 'user_id']).doUpdateSet(said))
      .execute()
    await settle(context, tx, date, member)
  })

/** Those with a place may always give it back, also after the end of answers. */
export const withdraw = (context: MemberContext, id: number, child: number | undefined) =>
  changeDate(context, id, async (tx, date) => {
    const member = await requireVoter(context, tx, date, child)
    requireTakesPlace(date)
    await tx.deleteFrom('event_answers').where('date_id', '=', id).where('user_id', '=', member).execute()
    await settle(context, tx, date, member)
  })

/** Somebody moves up, and what asked the member for an answer is over. */
async function settle(context: AppContext, tx: Tx, date: events.FullDate, member: number) {
  await seats.fill(context, tx, date)
  const { post_id: subject, user_id: actor, id: source } = date
  for (const kind of ['event_reminder', 'event_offer'] as const)
    await notifier.endEvent(context, tx, { user: member, kind, subject, actor, source })
}

const find = (tx: Tx, date: number, member: number) =>
  tx
    .selectFrom('event_answers')
    .selectAll()
    .where('date_id', '=', date)
    .where('user_id', '=', member)
    .executeTakeFirst()

/** 404 unless the member is a guardian of the child, and the child sees the post. */
async function requireVoter(context: MemberContext, tx: Tx, date: events.FullDate, child?: number) {
  if (child === undefined || child === context.me.id) return context.me.id
  await guardians.requireGuardian({ ...context, db: tx }, child)
  await read.requireDate({ ...withoutRoles(context, child), db: tx }, date.id)
  return child
}

function requireTakesPlace(date: events.FullDate) {
  if (date.cancelled_at !== null) throw isCancelled()
  if (events.hasBegun(date)) throw hasBegun()
}

/**
 * Null for a place, else the number in the waiting list. A party waits as a whole. Who has a place keeps it;
 * 422 if there is none for more guests. 403 for a new yes after the end of answers.
 */
async function placeFor(
  tx: Tx,
  date: events.FullDate,
  member: number,
  people: number,
  earlier: AnswerRow | undefined,
) {
  const before = earlier?.answer === 'yes' ? earlier : undefined
  const isIn = before !== undefined && (before.queue === null || before.offered_until !== null)
  const isMore = people > (before ? 1 + before.guests : 0)
  if (events.isClosed(date) && !(before && !isMore)) throw isClosed()
  if (date.places === null || (isIn && !isMore)) return null
  const free = date.places - (await seats.taken(tx, date.id, member))
  if (isIn) {
    if (people > free) throw noPlace(free - 1)
    return null
  }
  if (before) return before.queue
  const hasPlace = people <= free && !(await seats.hasQueue(tx, date.id, member))
  return hasPlace ? null : seats.nextInQueue(tx, date.id)
}

/** The job. The place goes to the next one. */
export async function endOffer(context: AppContext, id: number, member: number, until: string) {
  const found = await events.find(context.db, id)
  if (!found) return
  await context.withLock(lockKey(found.post_id), () =>
    transaction(context.db, async (tx) => {
      const date = await events.lock(tx, id)
      const row = date && (await find(tx, id, member))
      if (!row || row.offered_until !== until || row.queue === null) return
      await tx
        .updateTable('event_answers')
        .set({ answer: 'no', guests: 0, queue: null, offered_until: null })
        .where('date_id', '=', id)
        .where('user_id', '=', member)
        .execute()
      await settle(context, tx, date, member)
      tx.afterCommit(await prepare(context, tx, id))
    }),
  )
}

const isCancelled = () =>
  new HttpError(403, { en: 'This event was cancelled.', ja: 'この予定は中止になりました。' })
const hasBegun = () =>
  new HttpError(403, { en: 'This event has begun.', ja: 'この予定は、もう始まっています。' })
const isClosed = () =>
  new HttpError(403, {
    en: 'The time to answer is over. Please ask the person who planned it.',
    ja: '回答は締め切られました。予定を作った人に相談してください。',
  })
const tooManyGuests = (most: number) =>
  fieldError('guests', {
    en: most ? `You can bring at most ${most}.` : 'You cannot bring anybody.',
    ja: most ? `一緒に来られるのは${most}人までです。` : '同伴者は登録できません。',
  })
const noPlace = (free: number) =>
  fieldError('guests', {
    en: free > 0 ? `There is room for only ${free} more.` : 'There is no place left for more.',
    ja: free > 0 ? `空きは、あと${free}人分です。` : '空きがないため、人数を増やせません。',
  })

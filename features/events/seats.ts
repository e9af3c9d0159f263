import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { idIn, isoNow, type Tx } from '#core/database/database.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { addMany, BATCH } from '#features/notifications/many.ts'
import * as visibility from '#features/people/visibility.ts'
import { type FullDate, hasBegun, isClosed } from './rows.ts'

// Places and the waiting list. The caller holds the lock of the date, so two who cancel at once seat nobody
// twice.

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Ends an offer that nobody has taken. */
    event_offer: { date: number; user: number; until: string }
  }
}

const HOUR = 3600_000

/** How long an offer stands, in ms: shorter when the event is near. */
const offerTime = (left: number) => (left > 48 * HOUR ? 24 * HOUR : left > 6 * HOUR ? 2 * HOUR : HOUR / 2)

/** Places that are taken or offered, without those of `except`. */
export async function taken(tx: Tx, date: number, except = 0) {
  const { rows } = await sql<{ people: number | null }>`select sum(1 + guests) as people from event_answers
    where date_id = ${date} and answer = 'yes' and user_id <> ${except}
      and (queue is null or offered_until is not null)`.execute(tx)
  return Number(rows[0]!.people ?? 0)
}

/** Who waits without an offer, the first one first. */
const waiting = (tx: Tx, date: number) =>
  tx
    .selectFrom('event_answers')
    .select(['user_id', 'guests', 'queue'])
    .where('date_id', '=', date)
    .where('answer', '=', 'yes')
    .where('queue', 'is not', null)
    .where('offered_until', 'is', null)
    .orderBy('queue')

export const hasQueue = async (tx: Tx, date: number, except: number) =>
  (await waiting(tx, date).where('user_id', '!=', except).limit(1).executeTakeFirst()) !== undefined

export async function nextInQueue(tx: Tx, date: number) {
  const row = await tx
    .selectFrom('event_answers')
    .select(({ fn }) => fn.max('queue').as('last'))
    .where('date_id', '=', date)
    .where('answer', '=', 'yes')
    .executeTakeFirst()
  return Number(row?.last ?? 0) + 1
}

/**
 * Gives free places to those who wait, in their order: nobody passes somebody with more guests. After the end
 * of answers, a place is offered, because its member may have other plans by now.
 */
export async function fill(context: AppContext, tx: Tx, date: FullDate) {
  if (date.cancelled_at !== null || hasBegun(date)) return
  let free = date.places === null ? Number.POSITIVE_INFINITY : date.places - (await taken(tx, date.id))
  if (free <= 0) return
  const moved: number[] = []
  for (const { user_id, guests } of await waiting(tx, date.id).limit(Math.min(free, MOVED)).execute()) {
    if (1 + guests > free) break
    free -= 1 + guests
    moved.push(user_id)
  }
  if (moved.length) await (isClosed(date) ? offer : seat)(context, tx, date, moved)
}

/** At most so many move up at once; the others follow with the next change. */
const MOVED = 5000

async function seat(context: AppContext, tx: Tx, date: FullDate, members: readonly number[]) {
  await rows(tx, date.id, members).set({ queue: null, offered_until: null }).execute()
  await tell(context, tx, date, members, 'event_place')
}

async function offer(context: AppContext, tx: Tx, date: FullDate, members: readonly number[]) {
  const left = Date.parse(date.begins_at) - Date.now()
  const until = new Date(Date.now() + Math.min(offerTime(left), left)).toISOString()
  await rows(tx, date.id, members).set({ offered_until: until }).execute()
  for (const user of members)
    await enqueueJob(tx, 'event_offer', { date: date.id, user, until }, { runAt: new Date(until) })
  await tell(context, tx, date, members, 'event_offer')
}

const rows = (tx: Tx, date: number, members: readonly number[]) =>
  tx.updateTable('event_answers').where('date_id', '=', date).where('user_id', 'in', members)

/** In the name of who wrote the post, to those who may see it. Tells those again who had a place before. */
async function tell(
  context: AppContext,
  tx: Tx,
  { id: source, post_id: subject, user_id: actor }: FullDate,
  members: readonly number[],
  kind: 'event_place' | 'event_offer',
) {
  const among = sql<{ id: number }>`select user_id from event_answers
    where date_id = ${source} and ${idIn(tx, 'user_id', members)} and user_id <> ${actor}`
  const inside = { ...context, db: tx }
  const told = await visibility.listShownTo(inside, actor, { after: 0, limit: members.length, among })
  const since = isoNow()
  for (let first = 0; first < told.length; first += BATCH)
    await addMany(context, tx, told.slice(first, first + BATCH), { kind, subject, actor, source, since })
}

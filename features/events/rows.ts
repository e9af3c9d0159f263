import { sql } from 'kysely'
import { type Db, idIn, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import type { MyAnswer, SharedDate } from './schemas.ts'
import type { AnswerRow, DateRow, EventRow } from './tables.ts'

// Rows of events, and what follows from them. Nothing here checks who may see the post.

export interface FullDate extends DateRow, Omit<EventRow, 'id' | 'created_at'> {}

export const notFound = () =>
  new HttpError(404, { en: 'There is no such event.', ja: 'この予定は見つかりません。' })

export const dates = (db: Db) =>
  db
    .selectFrom('event_dates as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .selectAll('d')
    .select(['e.post_id', 'e.user_id', 'e.group_id', 'e.zone', 'e.all_day', 'e.rule', 'e.max_guests'])

export const find = (db: Db, id: number): Promise<FullDate | undefined> =>
  dates(db).where('d.id', '=', id).executeTakeFirst()

/** 404 if there is none. */
export async function get(db: Db, id: number): Promise<FullDate> {
  const row = await find(db, id)
  if (!row) throw notFound()
  return row
}

/** Nobody else changes its answers until the commit. Undefined if it is gone. */
export async function lock(tx: Tx, id: number) {
  if (isPostgres(tx))
    await tx.selectFrom('event_dates').select('id').where('id', '=', id).forUpdate().execute()
  return find(tx, id)
}

export const hasBegun = ({ begins_at }: Pick<DateRow, 'begins_at'>) => begins_at <= isoNow()

/** Nobody can say yes any more, besides those with an offer. */
export const isClosed = (date: Pick<DateRow, 'closed_at' | 'answers_until' | 'begins_at'>) =>
  date.closed_at !== null || (date.answers_until ?? date.begins_at) <= isoNow() || hasBegun(date)

type Counts = SharedDate['counts']
const none: Counts = { yes: 0, maybe: 0, no: 0, waiting: 0, guests: 0, taken: 0 }

interface Sum {
  date_id: number
  answer: keyof Pick<Counts, 'yes' | 'maybe' | 'no'>
  is_waiting: number
  is_offered: number
  members: number
  guests: number
}

/** By date. Those without an answer are not in the map. */
async function countsOf(db: Db, ids: readonly number[]) {
  const found = new Map<number, Counts>()
  if (!ids.length) return found
  const { rows } =
    await sql<Sum>`select date_id, answer, case when queue is null then 0 else 1 end as is_waiting,
      case when offered_until is null then 0 else 1 end as is_offered,
      count(*) as members, sum(guests) as guests
    from event_answers where ${idIn(db, 'date_id', ids)}
    group by 1, 2, 3, 4`.execute(db)
  for (const { date_id, answer, is_waiting, is_offered, members, guests } of rows) {
    const counts = found.get(date_id) ?? { ...none }
    found.set(date_id, counts)
    const people = Number(members) + Number(guests)
    if (is_waiting) counts.waiting += Number(members)
    else counts[answer] += Number(members)
    if (answer !== 'yes') continue
    if (!is_waiting) counts.guests += Number(guests)
    if (!is_waiting || is_offered) counts.taken += people
  }
  return found
}

/** The same for all viewers, in the order of the rows. */
export async function shared(db: Db, rows: readonly FullDate[]): Promise<SharedDate[]> {
  const counts = await countsOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...{ id: row.id, event_id: row.event_id, post_id: row.post_id, title: row.title, place: row.place },
    ...{ begins: row.begins, ends: row.ends, begins_at: row.begins_at, ends_at: row.ends_at },
    ...{ all_day: row.all_day === 1, zone: row.zone, rule: row.rule },
    ...{ places: row.places, max_guests: row.max_guests, answers_until: row.answers_until },
    ...{ is_closed: isClosed(row), cancelled_at: row.cancelled_at },
    ...{ sequence: row.sequence, changed_at: row.changed_at, counts: counts.get(row.id) ?? none },
  }))
}

type OwnAnswer = Pick<AnswerRow, 'answer' | 'guests' | 'note' | 'queue' | 'offered_until'>

/** `ahead`: how many wait before. */
const toMine = ({ answer, guests, note, queue, offered_until }: OwnAnswer, ahead: number): MyAnswer => ({
  ...{ answer, guests, note },
  ...(queue !== null && { position: ahead + 1 }),
  ...(offered_until !== null && { offered_until }),
})

/** By date and member, as `3 7`: what these members have answered. */
export async function answersOf(db: Db, ids: readonly number[], members: readonly number[]) {
  if (!ids.length || !members.length) return new Map<string, MyAnswer>()
  const rows = await db
    .selectFrom('event_answers as a')
    .select(['a.date_id', 'a.user_id', 'a.answer', 'a.guests', 'a.note', 'a.queue', 'a.offered_until'])
    .select(({ selectFrom }) =>
      selectFrom('event_answers as b')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('b.date_id', '=', 'a.date_id')
        .where('b.answer', '=', 'yes')
        .whereRef('b.queue', '<', 'a.queue')
        .as('ahead'),
    )
    .where(idIn(db, 'a.date_id', ids))
    .where('a.user_id', 'in', members)
    .execute()
  return new Map(rows.map((row) => [`${row.date_id} ${row.user_id}`, toMine(row, Number(row.ahead))]))
}

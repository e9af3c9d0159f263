import type { MemberContext } from '#core/context.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Written } from '#core/feature/extras.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import * as audiences from '#features/posts/audiences.ts'
import { lockKey, prepare } from './broadcasts.ts'
import * as managers from './managers.ts'
import * as read from './read.ts'
import * as reminders from './reminders.ts'
import * as events from './rows.ts'
import type { EventDate, NewEvent, Scope } from './schemas.ts'
import * as seats from './seats.ts'
import * as times from './times.ts'

/** The extra `event`. Belongs to the transaction that writes the post. */
export async function add(context: MemberContext, tx: Tx, { id: post }: Written, event: NewEvent) {
  const { rule, dates } = times.planned(event)
  const { title, place, places, zone, max_guests } = event
  const now = isoNow()
  const all_day = times.isAllDay(event) ? 1 : 0
  const { id } = await tx
    .insertInto('events')
    .values({
      ...{ post_id: post, user_id: context.me.id, group_id: await audiences.groupOf(tx, post) },
      ...{ zone, all_day, rule, max_guests, created_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = await tx
    .insertInto('event_dates')
    .values(
      dates.map((date) => ({
        ...{ event_id: id, title, place, places, changed_at: now },
        ...{ closed_at: null, cancelled_at: null, reminded_at: null, ...date },
      })),
    )
    .returning(['id', 'begins_at', 'answers_until'])
    .execute()
  await reminders.plan(tx, rows, now)
  tx.afterCommit(await prepare(context, tx, rows[0]!.id))
}

interface Change {
  title: string
  place: string | null
  begins: string
  ends: string
  places: number | null
  answers_until: string | null
  scope: Scope
  tell: boolean
}

type ChangeRows = (tx: Tx, dates: readonly events.FullDate[], chosen: events.FullDate) => Promise<unknown>

/**
 * Runs a change of the dates that `scope` means: the chosen one, and others that have not ended. They are
 * locked. 404 unless the member sees the post, 403 unless they manage it.
 */
async function manage(
  context: MemberContext,
  id: number,
  scope: Scope,
  change: ChangeRows,
): Promise<EventDate> {
  const { post_id } = await read.requireDate(context, id)
  return context.withLock(lockKey(post_id), () =>
    transaction(context.db, async (tx) => {
      const viewer = { ...context, db: tx }
      const chosen = await read.requireDate(viewer, id)
      await managers.require(context, tx, chosen)
      const dates = await lockAll(tx, chosen, scope)
      await change(tx, dates, dates.find((date) => date.id === id)!)
      for (const date of dates) tx.afterCommit(await prepare(context, tx, date.id))
      return read.get(viewer, id)
    }),
  )
}

async function lockAll(tx: Tx, { id, event_id, begins_at }: events.FullDate, scope: Scope) {
  const isOther = events
    .dates(tx)
    .where('d.event_id', '=', event_id)
    .where(({ or, eb }) => or([eb('d.id', '=', id), eb('d.ends_at', '>', isoNow())]))
    .$if(scope === 'this', (query) => query.where('d.id', '=', id))
    .$if(scope === 'following', (query) => query.where('d.begins_at', '>=', begins_at))
    .orderBy('d.id')
  if (isPostgres(tx)) await isOther.forUpdate('d').execute()
  return isOther.execute()
}

export const change = (context: MemberContext, id: number, given: Change) =>
  manage(context, id, given.scope, async (tx, dates, chosen) => {
    const { begins_at } = times.requireSpan(given, chosen.zone)
    if (begins_at !== chosen.begins_at) times.requireAhead(begins_at, 'begins')
    if (times.isAllDay(given) !== (chosen.all_day === 1)) throw otherKind()
    const until = times.requireUntil(given.answers_until, begins_at, 'answers_until')
    const before = until === null ? null : Date.parse(begins_at) - Date.parse(until)
    const changed: number[] = []
    for (const date of dates)
      if (await changeOne(context, tx, date, { ...given, before, from: chosen.begins })) changed.push(date.id)
    if (given.tell && changed.length) await tell(tx, context, 'event_changed', chosen, changed)
  })

/** `before`: how long before the beginning answers end. Resolves to whether time or place are other ones. */
async function changeOne(
  context: MemberContext,
  tx: Tx,
  date: events.FullDate,
  { title, place, places, before, from, ...given }: Change & { before: number | null; from: string },
) {
  const { begins } = times.moved(date, from, given.begins)
  const { ends } = times.moved({ begins: given.begins, ends: given.ends }, given.begins, begins)
  const moments = times.momentsOf({ begins, ends }, date.zone)
  const answers_until = times.earlier(moments.begins_at, before)
  const isOther =
    moments.begins_at !== date.begins_at || moments.ends_at !== date.ends_at || place !== date.place
  await tx
    .updateTable('event_dates')
    .set({ title, place, places, begins, ends, ...moments, answers_until, changed_at: isoNow() })
    .$if(answers_until !== date.answers_until, (query) => query.set({ closed_at: null }))
    .$if(isOther, (query) => query.set({ sequence: date.sequence + 1 }))
    .where('id', '=', date.id)
    .execute()
  await reminders.plan(tx, [{ id: date.id, begins_at: moments.begins_at, answers_until }])
  await seats.fill(context, tx, await events.get(tx, date.id))
  return isOther
}

const otherKind = () =>
  new HttpError(422, {
    en: 'An event of whole days stays one, and one with a time of day too.',
    ja: '終日の予定と時刻のある予定は、あとから入れ替えられません。',
  })

export const cancel = (context: MemberContext, id: number, scope: Scope) =>
  manage(context, id, scope, async (tx, dates, chosen) => {
    const open = dates.filter(({ cancelled_at }) => cancelled_at === null)
    if (!open.length) return
    const ids = open.map((date) => date.id)
    await setCancelled(tx, open, isoNow())
    await tx.deleteFrom('event_reminders').where('date_id', 'in', ids).execute()
    await tell(tx, context, 'event_cancelled', chosen, ids)
  })

export const restore = (context: MemberContext, id: number, scope: Scope) =>
  manage(context, id, scope, async (tx, dates, chosen) => {
    const cancelled = dates.filter(({ cancelled_at }) => cancelled_at !== null)
    if (!cancelled.length) return
    await setCancelled(tx, cancelled, null)
    await reminders.plan(tx, cancelled)
    for (const date of cancelled) await seats.fill(context, tx, await events.get(tx, date.id))
    await tell(
      tx,
      context,
      'event_changed',
      chosen,
      cancelled.map((date) => date.id),
    )
  })

const setCancelled = (tx: Tx, dates: readonly events.FullDate[], cancelled_at: string | null) =>
  tx
    .updateTable('event_dates')
    .set(({ eb }) => ({ cancelled_at, changed_at: isoNow(), sequence: eb('sequence', '+', 1) }))
    .where(
      'id',
      'in',
      dates.map(({ id }) => id),
    )
    .execute()

/** Whom it concerns, in the background. */
const tell = (
  tx: Tx,
  { me }: MemberContext,
  kind: 'event_changed' | 'event_cancelled',
  { id: source, post_id: post }: events.FullDate,
  dates: number[],
) => enqueueJob(tx, 'tell_event', { kind, post, source, dates, actor: me.id, at: isoNow() })

/** The end of answers is now. */
export const close = (context: MemberContext, id: number) =>
  manage(context, id, 'this', (tx) =>
    tx
      .updateTable('event_dates')
      .set({ closed_at: isoNow() })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .execute(),
  )

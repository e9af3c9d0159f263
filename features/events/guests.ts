import { type MemberContext, withoutRoles } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { notApart } from '#features/people/apart.ts'
import * as people from '#features/people/read.ts'
import { visiblePostIds } from '#features/posts/read.ts'
import * as managers from './managers.ts'
import * as read from './read.ts'
import * as events from './rows.ts'
import type { Guest } from './schemas.ts'

/** People with a row in `event_answers`, as far as the viewer may see them. */
const rows = (viewer: MemberContext, date: number) =>
  viewer.db
    .selectFrom('event_answers as a')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'a.user_id')
    .leftJoin('event_attendance as t', (join) =>
      join.onRef('t.date_id', '=', 'a.date_id').onRef('t.user_id', '=', 'a.user_id'),
    )
    .select([
      'u.id',
      'u.name',
      'u.image',
      'u.shared_handle',
      'a.answer',
      'a.guests',
      'a.note',
      'a.guardian_id',
    ])
    .select(['a.queue', 't.state'])
    .where('a.date_id', '=', date)
    .where(notApart(viewer, 'a.user_id'))

export async function list(
  viewer: MemberContext,
  { id, list: name, ...page }: PageParams & { id: number; list: Guest['answer'] | 'waiting' },
) {
  await read.requireDate(viewer, id)
  const isWaiting = name === 'waiting'
  const found = rows(viewer, id)
    .where('a.answer', '=', isWaiting ? 'yes' : name)
    .where('a.queue', isWaiting ? 'is not' : 'is', null)
  const column = isWaiting ? 'a.queue' : 'a.user_id'
  const shown = await pageOf(found, column, page).execute()
  return paged(
    shown,
    page.limit,
    (last) => ({ after: isWaiting ? last.queue! : last.id }),
    (all) =>
      all.map(
        ({ answer, guests, note, guardian_id, queue, state, ...user }): Guest => ({
          user: people.fromRow(viewer.media, user),
          ...{ answer, guests, note, by_guardian: guardian_id !== null, attendance: state },
          ...(queue !== null && { position: queue }),
        }),
      ),
  )
}

/** 403 except for those who manage it, and for the own absence on the day. */
export const attend = (
  context: MemberContext,
  { id, user, attendance }: { id: number; user: number; attendance: Guest['attendance'] },
) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const date = await read.requireDate(viewer, id)
    if (user !== context.me.id || attendance === 'here') await managers.require(context, tx, date)
    if (date.cancelled_at !== null || Date.parse(date.begins_at) - Date.now() > DAY) throw notToday()
    const person = await people.rows(viewer).where('users.id', '=', user).executeTakeFirst()
    const [sees] = await visiblePostIds({ ...withoutRoles(context, user), db: tx }, [date.post_id])
    if (!person || sees === undefined) throw httpErrors.notFound()
    const row = { date_id: id, user_id: user, state: attendance ?? 'here', marked_at: isoNow() } as const
    if (attendance === null)
      await tx.deleteFrom('event_attendance').where('date_id', '=', id).where('user_id', '=', user).execute()
    else
      await tx
        .insertInto('event_attendance')
        .values(row)
        .onConflict((conflict) => conflict.columns(['date_id', 'user_id']).doUpdateSet(row))
        .execute()
    const answers = await events.answersOf(tx, [id], [user])
    const mine = answers.get(`${id} ${user}`)
    return {
      user: people.fromRow(context.media, person),
      ...{ answer: mine?.answer ?? 'maybe', guests: mine?.guests ?? 0, note: mine?.note ?? null },
      ...{ by_guardian: false, attendance },
    } satisfies Guest
  })

/** In ms: people are checked in from a day before. */
const DAY = 86_400_000

const notToday = () =>
  new HttpError(403, { en: 'This is for the day itself.', ja: '当日になってから記録できます。' })

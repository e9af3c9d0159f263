import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { prepare } from './broadcasts.ts'
import * as events from './rows.ts'
import * as seats from './seats.ts'

/** 403 while somebody else comes or may come: they hear of it when the event is cancelled first. */
export async function requireNobodyComes(tx: Tx, post: number) {
  const waited = await events
    .dates(tx)
    .innerJoin('event_answers as a', 'a.date_id', 'd.id')
    .where('e.post_id', '=', post)
    .where('d.begins_at', '>', isoNow())
    .where('d.cancelled_at', 'is', null)
    .where('a.answer', '!=', 'no')
    .whereRef('a.user_id', '!=', 'e.user_id')
    .limit(1)
    .execute()
  if (waited.length) throw someoneComes()
}

const someoneComes = () =>
  new HttpError(403, {
    en: 'People have said that they come. Please cancel the event first, so that they hear of it. Then you can delete the post.',
    ja: '参加すると答えた人がいます。先に予定を中止すると、その人たちに通知が届きます。そのあとで投稿を削除できます。',
  })

interface Left {
  member: number
  /** Only events of posts for this group, or by this author. */
  group?: number
  author?: number
}

/** The member may not see these events any more: the places of coming dates go to those who wait. */
export async function giveBack(context: AppContext, tx: Tx, { member, group, author }: Left) {
  const dates = await events
    .dates(tx)
    .innerJoin('event_answers as a', 'a.date_id', 'd.id')
    .where('a.user_id', '=', member)
    .where('d.begins_at', '>', isoNow())
    .$if(group !== undefined, (query) => query.where('e.group_id', '=', group!))
    .$if(author !== undefined, (query) => query.where('e.user_id', '=', author!))
    .orderBy('d.id')
    .execute()
  for (const { id } of dates) {
    const date = await events.lock(tx, id)
    if (!date) continue
    await tx.deleteFrom('event_answers').where('date_id', '=', id).where('user_id', '=', member).execute()
    await seats.fill(context, tx, date)
    tx.afterCommit(await prepare(context, tx, id))
  }
}

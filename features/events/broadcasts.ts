import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { subjects } from '#features/reactions/subjects.ts'
import * as events from './rows.ts'
import type { EventChanges } from './schemas.ts'

/** A change and its broadcast hold this lock together: events are sent in the order of the commits. */
export const lockKey = (post: number) => `event ${post}`

/** Of the state in the transaction. Does nothing if the post is gone. */
export async function prepare(context: AppContext, tx: Tx, id: number) {
  const date = await events.get(tx, id)
  const [target] = await subjects.post.read(context, tx, [date.post_id])
  const [shared] = await events.shared(tx, [date])
  if (!target) return () => {}
  const { channel, aboutUsers, unlessMuted, onlyFor } = target
  const data: EventChanges['EventChanged'] = { post_id: date.post_id, date: shared! }
  return () =>
    context.realtime.broadcast([channel], 'EventChanged', data, { aboutUsers, unlessMuted, onlyFor })
}

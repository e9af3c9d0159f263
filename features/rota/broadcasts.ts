import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import type { FullDate } from '#features/events/rows.ts'
import { addMany, BATCH } from '#features/notifications/many.ts'
import * as visibility from '#features/people/visibility.ts'
import { subjects } from '#features/reactions/subjects.ts'
import type { RotaEvents } from './schemas.ts'

type Place = Pick<FullDate, 'id' | 'post_id' | 'user_id'>

/** After the commit, to open pages of those who see the event. Each asks again. */
export async function announce(context: AppContext, tx: Tx, { id, post_id }: Place) {
  const [target] = await subjects.post.read(context, tx, [post_id])
  if (!target) return
  const { channel, aboutUsers, unlessMuted, onlyFor } = target
  const data: RotaEvents['RotaChanged'] = { date_id: id }
  tx.afterCommit(() =>
    context.realtime.broadcast([channel], 'RotaChanged', data, { aboutUsers, unlessMuted, onlyFor }),
  )
}

interface Lost {
  job: number
  /** Undefined: everybody who has joined. */
  user?: number
  actor: number
}

/** Before the rows go: those who lose their place, and who gave it to a child, see that the event has changed. */
export async function tell(
  context: AppContext,
  tx: Tx,
  { id: source, post_id: subject }: Place,
  { job, user, actor }: Lost,
) {
  const joined = sql`from rota_people where job_id = ${job}
    and ${user === undefined ? sql`true` : sql`user_id = ${user}`}`
  const among = sql<{ id: number }>`select user_id ${joined} union select guardian_id ${joined}
    and guardian_id is not null`
  const inside = { ...context, db: tx }
  const users = await visibility.listShownTo(inside, actor, { after: 0, limit: BATCH, among })
  await addMany(inside, tx, users, { kind: 'event_changed', subject, actor, source, since: isoNow() })
}

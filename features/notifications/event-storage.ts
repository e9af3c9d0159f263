import { sql } from 'kysely'
import { isoNow, type Tx } from '#core/database/database.ts'
import type { NotificationKind } from './contract.ts'

export interface NotifiedAction {
  /** The member who gets the notification. */
  user: number
  kind: NotificationKind
  /** See `subject_id` of the table `notifications`. */
  subject: number
  actor: number
  /** A reply or message: see `source_id` of `notification_events`. */
  source?: number
}

interface ManyNotified {
  kind: NotificationKind
  subject_id: number
  created_at: string
  recipients: readonly { user: number; actor: number }[]
}

/** One for each recipient, with its first event. Leaves out members who have one, and returns the new ones. */
export async function storeMany(tx: Tx, { kind, subject_id, created_at, recipients }: ManyNotified) {
  if (!recipients.length) return []
  const actors = new Map(recipients.map(({ user, actor }) => [user, actor]))
  const empty = { kind, subject_id, last_event_id: 0, read_event_id: 0 }
  const notifications = await tx
    .insertInto('notifications')
    .values([...actors.keys()].map((user_id) => ({ ...empty, user_id })))
    .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'subject_id']).doNothing())
    .returning(['id', 'user_id'])
    .execute()
  if (!notifications.length) return []
  await tx
    .insertInto('notification_events')
    .values(
      notifications.map(({ id: notification_id, user_id }) => ({
        ...{ notification_id, actor_id: actors.get(user_id)!, created_at },
      })),
    )
    .execute()
  await tx
    .updateTable('notifications')
    .set({
      last_event_id: sql`(select max(id) from notification_events where notification_id = notifications.id)`,
    })
    .where(
      'id',
      'in',
      notifications.map(({ id }) => id),
    )
    .execute()
  return notifications
}

/**
 * Adds the event to the notification, which is inserted if there is none. `last_event_id` becomes this event
 * unless the person is muted. A repeated action is no longer marked as ended, and is not new.
 */
export async function storeEvent(
  tx: Tx,
  { user, kind, subject, actor, source = 0 }: NotifiedAction,
  { isMuted }: { isMuted: boolean },
) {
  const created_at = isoNow()
  // Updates a known row to lock it: ids of its events have the order of the commits, and no clean-up deletes
  // it.
  const { rows: notifications } = await sql<{ id: number }>`
    insert into notifications (user_id, kind, subject_id, last_event_id, read_event_id)
      values (${user}, ${kind}, ${subject}, 0, 0)
    on conflict (user_id, kind, subject_id) do update set last_event_id = notifications.last_event_id
    returning id`.execute(tx)
  const { id } = notifications[0]!
  const { rows: events } = await sql<{ id: number; created_at: string }>`
    insert into notification_events (notification_id, actor_id, source_id, created_at)
      values (${id}, ${actor}, ${source}, ${created_at})
    on conflict (notification_id, actor_id, source_id)
      do update set ended_at = null where notification_events.ended_at is not null
    returning id, created_at`.execute(tx)
  const event = events[0]
  // The newest of all is not searched, because there may be thousands.
  if (event && !isMuted)
    await sql`update notifications set last_event_id = ${event.id}
      where id = ${id} and last_event_id < ${event.id}`.execute(tx)
  // An event that was stored before keeps its time.
  return { id, created_at, isNew: event?.created_at === created_at }
}

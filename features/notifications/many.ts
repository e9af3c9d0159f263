import './events.ts'
import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { kindsAboutPosts, type NotificationKind } from './contract.ts'
import type { NotifiedAction } from './event-storage.ts'
import * as notifier from './model.ts'

/** Members in one call. */
export const BATCH = 200

interface Told extends Omit<NotifiedAction, 'user'> {
  /** Tells those again who were told before this time. */
  since?: string
}

/** Without those who have another notification about this post, such as one that it mentions them. */
export async function leaveOutTold(tx: Tx, users: readonly number[], post: number) {
  if (!users.length) return []
  const rows = await tx
    .selectFrom('notifications')
    .select('user_id')
    .where('kind', 'in', kindsAboutPosts)
    .where('subject_id', '=', post)
    .where('user_id', 'in', users)
    .execute()
  const told = new Set(rows.map(({ user_id }) => user_id))
  return users.filter((user) => !told.has(user))
}

/**
 * Of the notifications of these members about this subject, forgets the events that were read, and all but the
 * newest `most`: each reading of a list looks at all of them.
 */
export async function forgetOld(
  tx: Tx,
  users: readonly number[],
  { kind, subject, most }: { kind: NotificationKind; subject: number; most: number },
) {
  if (!users.length) return
  await sql`delete from notification_events where notification_id in
      (select id from notifications where kind = ${kind} and subject_id = ${subject}
        and user_id in (${sql.join(users)}))
    and (id <= (select n.read_event_id from notifications n where n.id = notification_events.notification_id)
      or id <= (select e.id from notification_events e where e.notification_id =
        notification_events.notification_id order by e.id desc limit 1 offset ${most}))`.execute(tx)
}

/**
 * One action that concerns many: the caller leaves out those who may not see the actor or have muted them.
 * Does nothing for members who have been told of this `source`, so a killed job may run again. Returns the
 * others.
 */
export async function addMany(
  context: AppContext,
  tx: Tx,
  users: readonly number[],
  { kind, subject: subject_id, actor: actor_id, source: source_id = 0, since }: Told,
) {
  if (!users.length) return []
  const created_at = isoNow()
  const notifications = await tx
    .insertInto('notifications')
    .values(users.map((user_id) => ({ user_id, kind, subject_id, last_event_id: 0, read_event_id: 0 })))
    // Locks a known row: ids of its events have the order of the commits.
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind', 'subject_id'])
        .doUpdateSet(({ ref }) => ({ last_event_id: ref('notifications.last_event_id') })),
    )
    .returning(['id', 'user_id'])
    .execute()
  if (since !== undefined)
    await tx
      .deleteFrom('notification_events')
      .where(
        'notification_id',
        'in',
        notifications.map(({ id }) => id),
      )
      .where('actor_id', '=', actor_id)
      .where('source_id', '=', source_id)
      .where('created_at', '<', since)
      .execute()
  const events = await tx
    .insertInto('notification_events')
    .values(notifications.map(({ id }) => ({ notification_id: id, actor_id, source_id, created_at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('notification_id')
    .execute()
  if (!events.length) return []
  const ids = new Set(events.map(({ notification_id }) => notification_id))
  await tx
    .updateTable('notifications')
    .set({
      last_event_id: sql`(select max(id) from notification_events where notification_id = notifications.id)`,
    })
    .where('id', 'in', [...ids])
    .execute()
  const told = notifications.filter(({ id }) => ids.has(id))
  await context.emit(tx, 'notifications.created', { kind, notifications: told })
  for (const { id, user_id } of told)
    notifier.announce(context, tx, user_id, { people: [actor_id], trace: { id, at: created_at } })
  return told.map(({ user_id }) => user_id)
}

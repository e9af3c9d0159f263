import './events.ts'
import { type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser, MemberContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import { type Db, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import * as visibility from '#features/people/visibility.ts'
import { deleteEmpty } from './cleanup.ts'
import { CHANGED_EVENT, type NotificationKind, taskKinds } from './contract.ts'
import { type NotifiedAction, storeEvent } from './event-storage.ts'
import * as read from './read.ts'
import { isTask } from './task-contract.ts'

// Called in the transaction of the action, so a notification exists exactly if the action was committed.

/**
 * Tells the member's windows after the commit. Does nothing for the member's own actions, except for tasks and
 * what the server tells, nor for what `contacts.deliver` holds back. A repeated action, or one of a muted
 * person, makes nothing unread.
 *
 * Only an action stored for the first time, by a person whom the member may see and has not muted, causes a
 * push message and a trace: otherwise liking and unliking would cause both each time.
 */
export async function add(context: AppContext, tx: Tx, action: NotifiedAction) {
  const { user, actor, kind } = action
  if (user === actor && kind !== 'server' && !isTask(kind)) return
  const [isDelivered, { isMuted, isVisible }] = await Promise.all([
    context.contacts.deliver(tx, { from: actor, to: user, kind }),
    readActor(tx, user, actor),
  ])
  if (!isDelivered) return
  const { id, created_at, isNew } = await storeEvent(tx, action, { isMuted })
  const isTold = isNew && isVisible && !isMuted
  if (isTold) await context.emit(tx, 'notification.created', { id, user_id: user, kind })
  announce(context, tx, user, { people: [actor], ...(isTold && { trace: { id, at: created_at } }) })
}

async function readActor(tx: Tx, user: number, actor: number) {
  const viewer = { me: { id: user } as CurrentUser }
  const { rows } = await sql<{ is_unmuted: unknown; is_visible: unknown }>`
    select ${visibility.notMuted(viewer, actor)} as is_unmuted,
      exists (${visibility.memberIds(viewer)} and id = ${actor}) as is_visible`.execute(tx)
  return { isMuted: !rows[0]!.is_unmuted, isVisible: Boolean(rows[0]!.is_visible) }
}

/** The newest event that has not ended and whose person is not muted; 0 if there is none. */
const buildLastEventIdUpdate = (tx: Tx, notification: number, user: number) =>
  tx
    .updateTable('notifications')
    .set({
      last_event_id: sql`coalesce((select max(e.id) from notification_events e
        where e.notification_id = ${notification} and e.ended_at is null and
          ${visibility.notMuted({ me: { id: user } as CurrentUser }, 'e.actor_id')}), 0)`,
    })
    .where('id', '=', notification)

export const recalculate = (tx: Tx, notification: number, user: number) =>
  buildLastEventIdUpdate(tx, notification, user).execute()

/** The person took the action back. Tells the member's windows after the commit. */
export async function endEvent(
  context: AppContext,
  tx: Tx,
  { user, kind, subject, actor, source }: Omit<NotifiedAction, 'user'> & { user?: number },
) {
  const notified = await buildSubjectQuery(tx, kind, subject)
    .$if(user !== undefined, (query) => query.where('user_id', '=', user!))
    .select(['id', 'user_id'])
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!notified) return
  await tx
    .updateTable('notification_events')
    .set({ ended_at: isoNow() })
    .where('notification_id', '=', notified.id)
    .where('actor_id', '=', actor)
    .$if(source !== undefined, (query) => query.where('source_id', '=', source!))
    .execute()
  // Changes `last_event_id` only if the ended event was the newest one of the notification.
  const isNewest = sql<SqlBool>`last_event_id in (select id from notification_events
    where notification_id = ${notified.id} and actor_id = ${actor})`
  await buildLastEventIdUpdate(tx, notified.id, notified.user_id).where(isNewest).execute()
  announce(context, tx, notified.user_id, { people: [actor] })
}

const buildSubjectQuery = (db: Db, kind: NotificationKind, subject: number) =>
  db.selectFrom('notifications').where('kind', '=', kind).where('subject_id', '=', subject)

/** The post or group was deleted, or a member has left. With `user`, only for this member. */
export async function deleteAbout(
  context: AppContext,
  tx: Tx,
  { kind, subject, user }: { kind: NotificationKind; subject: number; user?: number },
) {
  const deleted = await tx
    .deleteFrom('notifications')
    .where('kind', '=', kind)
    .where('subject_id', '=', subject)
    .$if(user !== undefined, (query) => query.where('user_id', '=', user!))
    .returning('user_id')
    .execute()
  for (const { user_id } of deleted) announce(context, tx, user_id)
}

/** Also deletes the notifications that have no other event. */
export async function deleteSource(
  context: AppContext,
  tx: Tx,
  { kind, subject = 0, source }: { kind: NotificationKind; subject?: number; source: number },
) {
  const notified = await buildSubjectQuery(tx, kind, subject)
    .select(['id', 'user_id'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('notification_events as e')
          .select('e.id')
          .whereRef('e.notification_id', '=', 'notifications.id')
          .where('e.source_id', '=', source),
      ),
    )
    .orderBy('id')
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .execute()
  for (const { id, user_id } of notified) {
    await tx
      .deleteFrom('notification_events')
      .where('notification_id', '=', id)
      .where('source_id', '=', source)
      .execute()
    await recalculate(tx, id, user_id)
    announce(context, tx, user_id)
  }
  await deleteEmpty(
    tx,
    notified.map(({ id }) => id),
  )
}

/** After the commit, tells all members whose notifications name this person. */
export async function announceDeleted(context: AppContext, tx: Tx, actor: number) {
  const named = await tx
    .selectFrom('notification_events as e')
    .innerJoin('notifications as n', 'n.id', 'e.notification_id')
    .select('n.user_id')
    .distinct()
    .where('e.actor_id', '=', actor)
    .execute()
  for (const { user_id } of named) announce(context, tx, user_id)
}

interface ChangeAnnouncement {
  people?: readonly number[]
  isOnlyRead?: boolean
  trace?: { id: number; at: string }
}

/**
 * Tells the member's windows, unless the member may not see `people` or has muted them. `isOnlyRead`: the
 * member has only read. `trace`: the notification and the time of a new action, whose delivery is recorded.
 */
export const announce = (
  { realtime }: AppContext,
  tx: Tx,
  user: number,
  { people = [], isOnlyRead = false, trace }: ChangeAnnouncement = {},
) =>
  tx.afterCommit(() => {
    const channel = fillChannel(chatChannels.member, { user })
    const data = { is_only_read: isOnlyRead }
    realtime.broadcast([channel], CHANGED_EVENT, data, {
      aboutUsers: people,
      unlessMuted: true,
      trace: trace && { kind: 'notification', ...trace },
    })
  })

export const markKindsRead = (tx: Tx, user: number, kinds: readonly NotificationKind[]) =>
  tx
    .updateTable('notifications')
    .set(({ ref }) => ({ read_event_id: ref('last_event_id') }))
    .where('user_id', '=', user)
    .where('kind', 'in', kinds)
    .whereRef('last_event_id', '>', 'read_event_id')
    .execute()

/** Tells all windows of the member. Returns the number that is still unread. */
export async function markReadUpTo(context: MemberContext, lastEventId: number) {
  const { db, me } = context
  return transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('notifications')
      .set({ read_event_id: lastEventId })
      .where('user_id', '=', me.id)
      .where('kind', 'not in', taskKinds)
      .where('read_event_id', '<', lastEventId)
      .whereRef('last_event_id', '>', 'read_event_id')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows) announce(context, tx, me.id, { isOnlyRead: true })
    return read.countUnread({ ...context, db: tx })
  })
}

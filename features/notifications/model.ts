import './events.ts'
import { type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser, MemberContext } from '#core/context.ts'
import { fillChannelNameParameters } from '#core/contract.ts'
import { currentIsoTime, type Db, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { chatChannelDefinitions } from '#features/chat/channel-contract.ts'
import { buildNotMutedCondition, buildVisibleUnmutedMemberIdQuery } from '#features/people/visibility.ts'
import { deleteNotificationsIfWithoutEvents } from './cleanup.ts'
import { NOTIFICATIONS_CHANGED_EVENT, type NotificationKind } from './contract.ts'
import {
  buildNotificationIdQuery,
  type NotifiedAction,
  sendStoreNotificationEventStatements,
} from './event-storage.ts'
import { readUnreadNotificationCountResponse } from './read.ts'

// The listeners in listeners.ts and mention-listeners.ts call the functions of this file, in the
// transaction of the action that a notification is about. So a notification exists exactly if the action was
// committed.

/**
 * Adds an action of a person, such as a like, to the notification of a member, and tells the member's windows
 * after the commit. Does nothing for the member's own actions, except for what the server tells, and only
 * counts those that the rule of delivery holds back (`contacts.delivery`). A person who repeats an action
 * after taking it back makes no notification unread a second time. The action of a person whom the member has
 * muted is stored, but makes nothing unread.
 *
 * Only an action that is stored for the first time, by a person whom the member may see and has not muted,
 * causes a push message and a record of how the live event was delivered. Otherwise a person who likes and
 * unlikes a post again and again would cause both each time.
 *
 * On PostgreSQL, waits for no answer, so that the commit leaves together with the statements.
 */
export async function addNotificationEventAndAnnounce(context: AppContext, tx: Tx, action: NotifiedAction) {
  const { user, actor, kind, source = 0 } = action
  if (user === actor && kind !== 'server') return
  const created_at = currentIsoTime()
  const person = buildVisibleUnmutedMemberIdQuery({ me: { id: user } as CurrentUser }, actor)
  const event = await sendStoreNotificationEventStatements(tx.forRowsOfMember(user), action, {
    created_at,
    person,
    delivery: context.contacts.delivery({ from: actor, to: user, kind }),
  })
  const id = sql<number>`(${buildNotificationIdQuery(action)})`
  // An event that was stored before keeps its `created_at`, so a different time means that the event is not
  // new.
  const isNew = sql<SqlBool>`exists (select 1 from notification_events where notification_id = ${id}
    and actor_id = ${actor} and source_id = ${source} and created_at = ${created_at}) and exists (${person})`
  await context.emit(tx, 'notification.changed', { id, isNew, user_id: user, kind })
  const readTrace = async () => {
    const {
      rows: [stored],
    } = await event.answer
    if (stored?.is_held) return null
    return stored?.created_at === created_at && stored.is_shown
      ? { id: stored.notification_id, at: created_at }
      : undefined
  }
  announceNotificationsChangedAfterCommit(context, tx, user, { people: [actor], readTrace })
}

/**
 * Builds the statement that sets `last_event_id` of a notification to the id of its newest event that has not
 * ended and is of a person whom the member has not muted; 0 if there is none.
 */
const buildLastEventIdUpdate = (tx: Tx, notification: number, user: number) =>
  tx
    .updateTable('notifications')
    .set({
      last_event_id: sql`coalesce((select max(e.id) from notification_events e
        where e.notification_id = ${notification} and e.ended_at is null and
          ${buildNotMutedCondition({ me: { id: user } as CurrentUser }, 'e.actor_id')}), 0)`,
    })
    .where('id', '=', notification)

export const recalculateLastEventIdOfNotification = (tx: Tx, notification: number, user: number) =>
  buildLastEventIdUpdate(tx, notification, user).execute()

/**
 * Marks the event that `addNotificationEventAndAnnounce` stored as ended, because the person took the action
 * back. Tells the member's windows after the commit.
 */
export async function markNotificationEventEnded(
  context: AppContext,
  tx: Tx,
  { user, kind, subject, actor }: Omit<NotifiedAction, 'user'> & { user?: number },
) {
  const notified = await buildSubjectQuery(tx, kind, subject)
    .$if(user !== undefined, (query) => query.where('user_id', '=', user!))
    .select(['id', 'user_id'])
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!notified) return
  const own = tx.forRowsOfMember(notified.user_id)
  own.sendStatement(
    own
      .updateTable('notification_events')
      .set({ ended_at: currentIsoTime() })
      .where('notification_id', '=', notified.id)
      .where('actor_id', '=', actor),
  )
  // Changes `last_event_id` only if the ended event was the newest one of the notification.
  const isNewest = sql<SqlBool>`last_event_id in (select id from notification_events
    where notification_id = ${notified.id} and actor_id = ${actor})`
  own.sendStatement(buildLastEventIdUpdate(own, notified.id, notified.user_id).where(isNewest))
  announceNotificationsChangedAfterCommit(context, tx, notified.user_id, { people: [actor] })
}

const buildSubjectQuery = (db: Db, kind: NotificationKind, subject: number) =>
  db.selectFrom('notifications').where('kind', '=', kind).where('subject_id', '=', subject)

/**
 * Deletes the notifications of one kind about a post or group, because it was deleted or a member has left
 * the group. With `user`, deletes only the notification of this member.
 */
export async function deleteNotificationsAboutSubject(
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
  for (const { user_id } of deleted) announceNotificationsChangedAfterCommit(context, tx, user_id)
}

/**
 * Deletes the events with this `source_id` from the notifications about a subject, for example because a
 * reply was deleted. Also deletes the notifications that have no other event.
 */
export async function deleteNotificationEventsOfSource(
  context: AppContext,
  tx: Tx,
  { kind, subject, source }: { kind: NotificationKind; subject: number; source: number },
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
    await recalculateLastEventIdOfNotification(tx, id, user_id)
    announceNotificationsChangedAfterCommit(context, tx, user_id)
  }
  await deleteNotificationsIfWithoutEvents(
    tx,
    notified.map(({ id }) => id),
  )
}

/**
 * After the commit, tells the windows of all members whose notifications name the person of a deleted account
 * to load their notifications again.
 */
export async function announceNotificationChangesOfDeletedActor(context: AppContext, tx: Tx, actor: number) {
  const named = await tx
    .selectFrom('notification_events as e')
    .innerJoin('notifications as n', 'n.id', 'e.notification_id')
    .select('n.user_id')
    .distinct()
    .where('e.actor_id', '=', actor)
    .execute()
  for (const { user_id } of named) announceNotificationsChangedAfterCommit(context, tx, user_id)
}

interface ChangeAnnouncement {
  people?: readonly number[]
  isOnlyRead?: boolean
  readTrace?: () => Promise<{ id: number; at: string } | null | undefined>
}

/**
 * After the commit, tells all windows of a member that the member's notifications have changed, unless the
 * member may not see `people` or has muted them. `isOnlyRead`: nothing new has happened, but the member has
 * read some notifications. `readTrace` is called after the commit. If it resolves to the id of the
 * notification and the time of the new action, the server records how the event is delivered; if to null,
 * nothing is told.
 */
export const announceNotificationsChangedAfterCommit = (
  { realtime }: AppContext,
  tx: Tx,
  user: number,
  { people = [], isOnlyRead = false, readTrace }: ChangeAnnouncement = {},
) =>
  tx.afterCommit(async () => {
    const trace = await readTrace?.()
    if (trace === null) return
    const channel = fillChannelNameParameters(chatChannelDefinitions.member, { user })
    const data = { is_only_read: isOnlyRead }
    realtime.broadcast([channel], NOTIFICATIONS_CHANGED_EVENT, data, {
      aboutUsers: people,
      unlessMuted: true,
      trace: trace && { kind: 'notification', ...trace },
    })
  })

/** Marks all notifications of a member that have one of these kinds as read. */
export const markNotificationsOfKindsRead = (tx: Tx, user: number, kinds: readonly NotificationKind[]) =>
  tx
    .forRowsOfMember(user)
    .updateTable('notifications')
    .set(({ ref }) => ({ read_event_id: ref('last_event_id') }))
    .where('user_id', '=', user)
    .where('kind', 'in', kinds)
    .whereRef('last_event_id', '>', 'read_event_id')
    .execute()

/**
 * Marks the member's notifications whose newest event has an id of at most `lastEventId` as read, and tells
 * all windows of the member. Returns the number of notifications that are still unread.
 */
export async function markNotificationsReadUpToEvent(context: MemberContext, lastEventId: number) {
  const { db, me } = context
  return transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .forRowsOfMember(me.id)
      .updateTable('notifications')
      .set({ read_event_id: lastEventId })
      .where('user_id', '=', me.id)
      .where('read_event_id', '<', lastEventId)
      .whereRef('last_event_id', '>', 'read_event_id')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows) announceNotificationsChangedAfterCommit(context, tx, me.id, { isOnlyRead: true })
    return readUnreadNotificationCountResponse({ ...context, db: tx })
  })
}

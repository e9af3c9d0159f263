import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { cacheDependenciesOnMessageUpdateAndDelete } from '#features/chat/read-message-texts.ts'
import {
  buildAccessibleOwnMessageCondition,
  buildMessageInMutedConversationCondition,
  buildMutedConversationCondition,
} from '#features/chat/read-own-messages.ts'
import { buildVisiblePersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import {
  buildReachCondition,
  buildReachingMembersQuery,
  type MemberViewerContext,
} from '#features/people/visibility.ts'
import {
  buildVisiblePostCondition,
  listPostVisibilityCacheDependencies,
} from '#features/posts/visible-posts.ts'
import { replyUpdateAndDeleteCacheDependencies } from '#features/replies/deletion.ts'
import { buildVisibleReplyCondition } from '#features/replies/read.ts'
import {
  MAX_PEOPLE_IN_NOTIFICATION,
  MAX_UNREAD_NOTIFICATION_COUNT,
  type Notification,
  type NotificationKind,
} from './contract.ts'
import { readNotificationSubjectsLookupFunction } from './subjects.ts'

/**
 * Builds a query for the events of the notification `n` of an outer query that have not ended and are by
 * people whom the viewer may see and has not muted.
 */
export const buildVisibleEventsOfOuterNotificationQuery = (viewer: MemberViewerContext) =>
  buildReachingMembersQuery(viewer)
    .innerJoin('notification_events as e', 'e.actor_id', 'users.id')
    .select('e.id')
    .where(sql<SqlBool>`e.notification_id = n.id`)
    .where('e.ended_at', 'is', null)

/**
 * Builds a query for the notifications `n` of the viewer. Leaves out those about something that the viewer
 * may not see any more: a post of another person, an own reply to such a post, or an own message in a chat
 * that the viewer has left.
 */
const ownNotificationsQuery = (viewer: MemberViewerContext) =>
  viewer.db
    .selectFrom('notifications as n')
    .where('n.user_id', '=', viewer.me.id)
    .where('n.last_event_id', '>', 0)
    .where(({ or, and, eb }) =>
      or([
        eb('n.kind', 'not in', ['reply', 'mention', 'announcement', 'reply_reaction', 'message_reaction']),
        and([
          eb('n.kind', 'in', ['reply', 'mention', 'announcement']),
          buildVisiblePostCondition(viewer, 'n.subject_id'),
        ]),
        and([eb('n.kind', '=', 'reply_reaction'), buildVisibleReplyCondition(viewer, 'n.subject_id')]),
        and([
          eb('n.kind', '=', 'message_reaction'),
          buildAccessibleOwnMessageCondition(viewer, 'n.subject_id'),
        ]),
      ]),
    )

/**
 * Builds a query for the kinds of notifications that the viewer has switched off in the app. Notifications of
 * these kinds count as read, but they are stored and listed: a push message may be about them, and the list
 * stays complete if the member switches the kind on again.
 */
const switchedOffKindsQuery = ({ db, me }: MemberViewerContext) =>
  db
    .selectFrom('notification_switches_off')
    .select('kind')
    .where('user_id', '=', me.id)
    .where('channel', '=', 'app')
    .$castTo<{ kind: NotificationKind }>()

/** Counts the viewer's unread notifications, up to `MAX_UNREAD_NOTIFICATION_COUNT`. */
export async function readUnreadNotificationCountResponse(viewer: MemberViewerContext) {
  const unread = await ownNotificationsQuery(viewer)
    .select('n.id')
    .whereRef('n.last_event_id', '>', 'n.read_event_id')
    .where('n.kind', 'not in', switchedOffKindsQuery(viewer))
    .where(({ exists }) =>
      exists(buildVisibleEventsOfOuterNotificationQuery(viewer).where(sql<SqlBool>`e.id > n.read_event_id`)),
    )
    .limit(MAX_UNREAD_NOTIFICATION_COUNT)
    .execute()
  return { count: unread.length }
}

interface NewestUnread {
  count: number
  last_event_id: number
}

/**
 * Creates a version of `readNewestUnreadNotifications` with a cache, because every page needs its result. A
 * new event in a notification drops only the cached results of the members who have this notification. New
 * posts, replies and messages are not listed as dependencies of the cache, because a notification about them
 * is inserted after them.
 */
export function createCachedUnreadNotificationCountReader(
  context: Pick<AppContext, 'groups' | 'queryCaches'>,
) {
  const results = context.queryCaches.ofMembers<NewestUnread>(
    [
      ...listPostVisibilityCacheDependencies(context).filter((one) => one !== 'insert into posts'),
      ...replyUpdateAndDeleteCacheDependencies,
      ...cacheDependenciesOnMessageUpdateAndDelete,
      ...(['conversations', 'conversation_members', 'notification_switches_off'] as const),
    ],
    ['notifications', 'notification_events'],
    5000,
  )
  return (viewer: MemberViewerContext) => results(viewer.me.id, () => readNewestUnreadNotifications(viewer))
}

/**
 * Returns the number of the viewer's unread notifications, and the id of the newest event in all
 * notifications of the viewer.
 */
async function readNewestUnreadNotifications(viewer: MemberViewerContext) {
  const newest = await viewer.db
    .selectFrom('notifications')
    .select('last_event_id')
    .where('user_id', '=', viewer.me.id)
    .orderBy('last_event_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { ...(await readUnreadNotificationCountResponse(viewer)), last_event_id: newest?.last_event_id ?? 0 }
}

/** Lists one page of the viewer's notifications, those with the newest event first. */
export const listNotifications = (viewer: MemberViewerContext, page: PaginationParameters) =>
  listNotificationsOfQuery(viewer, ownNotificationsQuery(viewer), page)

/**
 * Reads a notification of the viewer for a push message. Returns undefined if it is read already, if the
 * viewer may not see or has muted all people whom it names, or if it is about a message in a conversation
 * that the viewer has muted. An unread notification counts as unread here even if the viewer has switched off
 * its kind in the app.
 */
export async function readUnreadNotificationForPush(viewer: MemberViewerContext, id: number) {
  const found = ownNotificationsQuery(viewer)
    .where('n.id', '=', id)
    .where(({ not, or, and, eb }) =>
      not(
        or([
          and([
            eb('n.kind', 'in', ['quote', 'group_mention']),
            buildMutedConversationCondition(viewer, 'n.subject_id'),
          ]),
          and([
            eb('n.kind', '=', 'message_reaction'),
            buildMessageInMutedConversationCondition(viewer, 'n.subject_id'),
          ]),
        ]),
      ),
    )
  const { body } = await listNotificationsOfQuery(viewer, found, { limit: 1 }, { ignoresSwitches: true })
  return body.find(({ is_read }) => !is_read)
}

/**
 * Returns why `readUnreadNotificationForPush` finds no notification: `read` if the viewer has read it,
 * `muted` if the viewer has muted the conversation, or `unavailable` if the viewer may not see it (any more).
 */
export async function explainWhyNotificationWasNotPushed(viewer: MemberViewerContext, id: number) {
  const notification = await findOwnNotification(viewer, id, { ignoresSwitches: true })
  if (!notification) return 'unavailable'
  return notification.is_read ? 'read' : 'muted'
}

/**
 * Returns a notification of the viewer; undefined if there is no such notification, or the viewer may not see
 * it.
 */
export async function findOwnNotification(
  viewer: MemberViewerContext,
  id: number,
  options: { ignoresSwitches?: boolean } = {},
) {
  const found = ownNotificationsQuery(viewer).where('n.id', '=', id)
  const { body } = await listNotificationsOfQuery(viewer, found, { limit: 1 }, options)
  return body[0]
}

async function listNotificationsOfQuery(
  viewer: MemberViewerContext,
  notifications: ReturnType<typeof ownNotificationsQuery>,
  page: PaginationParameters,
  options: { ignoresSwitches?: boolean } = {},
) {
  const found = notifications
    .select(['n.id', 'n.kind', 'n.subject_id', 'n.last_event_id', 'n.read_event_id'])
    .select((query) => query('n.kind', 'in', switchedOffKindsQuery(viewer)).as('is_off'))
    .where(({ exists }) => exists(buildVisibleEventsOfOuterNotificationQuery(viewer)))
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'n.last_event_id', page, 'desc').execute()
  const shown = rows.slice(0, page.limit)
  const people = await readPeople(
    viewer,
    shown.map(({ id }) => id),
  )
  const named = shown.flatMap((row) => {
    const found = people.get(row.id)
    return found ? [{ ...row, ...found }] : []
  })
  const toSubjectFields = await readNotificationSubjectsLookupFunction(viewer, named)
  const toNotification = (row: (typeof named)[number]): Notification => ({
    id: row.id,
    kind: row.kind,
    people: row.named,
    people_count: row.count,
    ...toSubjectFields(row),
    last_event_id: row.last_event_id,
    updated_at: row.updated_at,
    is_read: row.newest_event_id <= row.read_event_id || (Boolean(row.is_off) && !options.ignoresSwitches),
  })
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.last_event_id }),
    () => named.map(toNotification),
  )
}

/**
 * Reads whom each notification names: the people who acted last whom the viewer may see and has not muted,
 * and the number of all such people. Also reads the id, the source and the time of their newest event.
 * Returns a map by the ids of the notifications.
 */
async function readPeople(viewer: MemberViewerContext, notifications: readonly number[]) {
  type People = {
    named: Notification['people']
    count: number
    newest_event_id: number
    newest_source_id: number
    updated_at: string
  }
  const people = new Map<number, People>()
  if (!notifications.length) return people
  const reachingPeople = buildVisiblePersonRowsQuery(viewer).where(buildReachCondition(viewer, 'users.id'))
  const newestOfPeople = viewer.db
    .selectFrom('notification_events')
    .select(({ fn }) => ['notification_id', 'actor_id', fn.max('id').as('event_id')])
    .where('notification_id', 'in', notifications)
    .where('ended_at', 'is', null)
    .groupBy(['notification_id', 'actor_id'])
  const ranked = viewer.db
    .selectFrom(newestOfPeople.as('e'))
    .innerJoin(reachingPeople.as('u'), 'u.id', 'e.actor_id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 'e.notification_id', 'e.event_id'])
    .select(
      sql<number>`row_number() over (partition by e.notification_id order by e.event_id desc)`.as('position'),
    )
    .select(sql<number>`count(*) over (partition by e.notification_id)`.as('people_count'))
  const rows = await viewer.db
    .selectFrom(ranked.as('newest'))
    .innerJoin('notification_events as act', 'act.id', 'newest.event_id')
    .selectAll('newest')
    .select(['act.source_id', 'act.created_at as happened_at'])
    .where('position', '<=', MAX_PEOPLE_IN_NOTIFICATION)
    .orderBy('newest.notification_id')
    .orderBy('position')
    .execute()
  for (const { notification_id, event_id, source_id, happened_at, people_count, ...person } of rows) {
    const { position: _, ...shown } = person
    const known = people.get(notification_id) ?? {
      named: [],
      count: Number(people_count),
      newest_event_id: event_id,
      newest_source_id: source_id,
      updated_at: happened_at,
    }
    known.named.push(toPersonFromRow(viewer.media, shown))
    people.set(notification_id, known)
  }
  return people
}

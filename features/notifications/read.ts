import { type SqlBool, sql } from 'kysely'
import type { PageParameters } from '#core/contract.ts'
import { selectKeysetPage } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { buildVisiblePersonRowsQuery, toPublicPerson } from '#features/people/read.ts'
import {
  buildNotMutedCondition,
  buildVisibleUnmutedMembersQuery,
  type MemberViewerContext,
} from '#features/people/visibility.ts'
import { readVisibleViewerIndependentPosts } from '#features/posts/read.ts'
import { MAX_NAMED_PEOPLE, MAX_UNREAD_COUNT, type Notification } from './contract.ts'

/**
 * Query: the events of the notification `n` that have not ended, by people whom the viewer may see and has
 * not muted.
 */
const visibleEventsQuery = (viewer: MemberViewerContext) =>
  buildVisibleUnmutedMembersQuery(viewer)
    .innerJoin('notification_events as e', 'e.actor_id', 'users.id')
    .select('e.id')
    .where(sql<SqlBool>`e.notification_id = n.id`)
    .where('e.ended_at', 'is', null)

const ownNotificationsQuery = ({ db, me }: MemberViewerContext) =>
  db.selectFrom('notifications as n').where('n.user_id', '=', me.id).where('n.last_event_id', '>', 0)

/** Counts the viewer's unread notifications, up to `MAX_UNREAD_COUNT`. */
export async function countUnreadNotifications(viewer: MemberViewerContext) {
  const unread = await ownNotificationsQuery(viewer)
    .select('n.id')
    .whereRef('n.last_event_id', '>', 'n.read_event_id')
    .where(({ exists }) => exists(visibleEventsQuery(viewer).where(sql<SqlBool>`e.id > n.read_event_id`)))
    .limit(MAX_UNREAD_COUNT)
    .execute()
  return { count: unread.length }
}

/** Lists the viewer's notifications, those with the newest event first. */
export const listNotifications = (viewer: MemberViewerContext, page: PageParameters) =>
  listNotificationsOfQuery(viewer, ownNotificationsQuery(viewer), page)

/**
 * Reads a notification of the viewer. Returns undefined if it is read already, or if the viewer may not see
 * or has muted all people whom it names.
 */
export async function readUnreadNotification(viewer: MemberViewerContext, id: number) {
  const found = ownNotificationsQuery(viewer).where('n.id', '=', id)
  const { body } = await listNotificationsOfQuery(viewer, found, { limit: 1 })
  return body.find(({ is_read }) => !is_read)
}

async function listNotificationsOfQuery(
  viewer: MemberViewerContext,
  notifications: ReturnType<typeof ownNotificationsQuery>,
  page: PageParameters,
) {
  const found = notifications
    .select(['n.id', 'n.kind', 'n.subject_id', 'n.last_event_id', 'n.read_event_id'])
    .where(({ exists }) => exists(visibleEventsQuery(viewer)))
  const rows = await selectKeysetPage(found, 'n.last_event_id', page, 'desc').execute()
  const shown = rows.slice(0, page.limit)
  const [people, posts, groups] = await Promise.all([
    readPeople(
      viewer,
      shown.map(({ id }) => id),
    ),
    readPosts(
      viewer,
      shown.filter(({ kind }) => kind === 'like').map(({ subject_id }) => subject_id),
    ),
    shown.some(({ kind }) => kind === 'group') ? readOwnGroups(viewer) : new Map<number, string>(),
  ])
  const toNotification = ({ id, kind, subject_id, last_event_id, read_event_id }: (typeof rows)[number]) => {
    const { named, count, newest_event_id, updated_at } = people.get(id)!
    const post = kind === 'like' ? posts.get(subject_id) : undefined
    const name = kind === 'group' ? groups.get(subject_id) : undefined
    return {
      id,
      kind,
      people: named,
      people_count: count,
      ...(post && { post: { id: post.id, body: post.body } }),
      ...(name !== undefined && { group: { id: subject_id, name } }),
      last_event_id,
      updated_at,
      is_read: newest_event_id <= read_event_id,
    }
  }
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.last_event_id }),
    (all): Notification[] => all.filter(({ id }) => people.has(id)).map(toNotification),
  )
}

/**
 * Reads for each notification the newest people whom the viewer may see and has not muted, the number of
 * all such people, and the id and time of their newest event.
 */
async function readPeople(viewer: MemberViewerContext, notifications: readonly number[]) {
  type People = {
    named: Notification['people']
    count: number
    newest_event_id: number
    updated_at: string
  }
  const people = new Map<number, People>()
  if (!notifications.length) return people
  const unmutedPeople = buildVisiblePersonRowsQuery(viewer).where(buildNotMutedCondition(viewer, 'users.id'))
  const events = viewer.db
    .selectFrom('notification_events as e')
    .innerJoin(unmutedPeople.as('u'), 'u.id', 'e.actor_id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle'])
    .select(['e.notification_id', 'e.id as event_id', 'e.created_at as happened_at'])
    .select(sql<number>`row_number() over (partition by e.notification_id order by e.id desc)`.as('position'))
    .select(sql<number>`count(*) over (partition by e.notification_id)`.as('people_count'))
    .where('e.notification_id', 'in', notifications)
    .where('e.ended_at', 'is', null)
  const rows = await viewer.db
    .selectFrom(events.as('newest'))
    .selectAll()
    .where('position', '<=', MAX_NAMED_PEOPLE)
    .orderBy('notification_id')
    .orderBy('position')
    .execute()
  for (const { notification_id, event_id, happened_at, position: _, people_count, ...person } of rows) {
    const known = people.get(notification_id) ?? {
      named: [],
      count: Number(people_count),
      newest_event_id: event_id,
      updated_at: happened_at,
    }
    known.named.push(toPublicPerson(viewer.media, person))
    people.set(notification_id, known)
  }
  return people
}

async function readPosts(viewer: MemberViewerContext, ids: readonly number[]) {
  const posts = await readVisibleViewerIndependentPosts(viewer, ids)
  return new Map(posts.map(({ post }) => [post.id, post]))
}

/** Reads the names of the viewer's groups, by id. */
async function readOwnGroups({ db, groups, me }: MemberViewerContext) {
  const { rows } = await groups.groupsOf(me.id).execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

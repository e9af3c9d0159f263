import { type SqlBool, sql } from 'kysely'
import type { Db } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { owns } from '#features/groups/managers.ts'
import * as ownMessages from '#features/messages/own.ts'
import { hasRole } from '#features/people/moderators.ts'
import * as persons from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as postAudiences from '#features/posts/audiences.ts'
import * as replies from '#features/replies/read.ts'
import {
  kindsAboutPosts,
  MAX_PEOPLE,
  MAX_UNREAD,
  type Notification,
  type NotificationKind,
  type TaskKind,
  taskKinds,
} from './contract.ts'
import { subjectLookup } from './subjects.ts'

/** Events of the outer query's `n`: not ended, by people whom the viewer may see and has not muted. */
export const visibleEvents = (viewer: MemberViewer) =>
  visibility
    .reaching(viewer)
    .innerJoin('notification_events as e', 'e.actor_id', 'users.id')
    .select('e.id')
    .where(sql<SqlBool>`e.notification_id = n.id`)
    .where('e.ended_at', 'is', null)
    .where(isPostVisible(viewer))

/** Of an event `e` of `n`: one notification is about all new posts of a person. */
const isPostVisible = (viewer: MemberViewer) =>
  sql<SqlBool>`(n.kind <> 'new_post' or ${postAudiences.visible(viewer, 'e.source_id')})`

const conditionalKinds: readonly NotificationKind[] = [
  ...kindsAboutPosts,
  ...(['reply_reaction', 'message_reaction'] as const),
  ...(['server', 'join_request', 'group_request', 'report'] as const),
]

/**
 * As `n`, without those about something that the viewer may not see any more: a post of another person, an
 * own reply to such a post, or an own message in a chat that the viewer has left. Also without those for a
 * role that the viewer no longer has.
 */
const ownNotificationsQuery = (viewer: MemberViewer) =>
  viewer.db
    .selectFrom('notifications as n')
    .where('n.user_id', '=', viewer.me.id)
    .where('n.last_event_id', '>', 0)
    .where(({ or, and, eb }) =>
      or([
        eb('n.kind', 'not in', conditionalKinds),
        and([eb('n.kind', 'in', kindsAboutPosts), postAudiences.visible(viewer, 'n.subject_id')]),
        and([eb('n.kind', '=', 'reply_reaction'), replies.visible(viewer, 'n.subject_id')]),
        and([eb('n.kind', '=', 'message_reaction'), ownMessages.isOwn(viewer, 'n.subject_id')]),
        and([eb('n.kind', 'in', ['server', 'join_request']), hasRole(viewer.me.id, 'admin')]),
        and([
          eb('n.kind', '=', 'group_request'),
          or([hasRole(viewer.me.id, 'admin'), owns(viewer.me.id, 'n.subject_id')]),
        ]),
        and([eb('n.kind', '=', 'report'), hasRole(viewer.me.id, 'moderator')]),
      ]),
    )

/**
 * These kinds count as read, but are stored and listed: a push message may be about them, and the list stays
 * complete if the member switches the kind on again.
 */
const switchedOffKindsQuery = ({ db, me }: MemberViewer) =>
  db
    .selectFrom('notification_switches_off')
    .select('kind')
    .where('user_id', '=', me.id)
    .where('channel', '=', 'app')
    .$castTo<{ kind: NotificationKind }>()

/** Up to `MAX_UNREAD`. */
export async function countUnread(viewer: MemberViewer) {
  const unread = await ownNotificationsQuery(viewer)
    .select('n.id')
    .whereRef('n.last_event_id', '>', 'n.read_event_id')
    .where('n.kind', 'not in', switchedOffKindsQuery(viewer))
    .where(({ exists }) => exists(visibleEvents(viewer).where(sql<SqlBool>`e.id > n.read_event_id`)))
    .limit(MAX_UNREAD)
    .execute()
  return { count: unread.length }
}

/** Every page asks this. An index answers most members, who have nothing unread: only the others are counted. */
export async function getUnread(viewer: MemberViewer) {
  const own = sql`from notifications where user_id = ${viewer.me.id}`
  const { rows } = await sql<{ last_event_id: number | null; has_unread: unknown }>`
    select (select max(last_event_id) ${own}) as last_event_id,
      exists (select 1 ${own} and last_event_id > read_event_id) as has_unread`.execute(viewer.db)
  const { last_event_id, has_unread } = rows[0]!
  const unread = has_unread
    ? { ...(await countUnread(viewer)), waiting: await countWaiting(viewer) }
    : { count: 0, waiting: noneWaiting }
  return { ...unread, last_event_id: last_event_id ?? 0 }
}

const noneWaiting: Record<TaskKind, number> = {
  report: 0,
  contact_request: 0,
  join_request: 0,
  group_request: 0,
  not_sent: 0,
  roll_call: 0,
  roll_call_drill: 0,
  roll_call_help: 0,
}

async function countWaiting(viewer: MemberViewer) {
  const rows = await ownNotificationsQuery(viewer)
    .innerJoin('notification_events as e', 'e.notification_id', 'n.id')
    .select(({ fn }) => ['n.kind', fn.countAll().as('count')])
    .where('n.kind', 'in', taskKinds)
    .groupBy('n.kind')
    .execute()
  const counts = Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]))
  return { ...noneWaiting, ...counts }
}

/** More than a member has: two, one for each child and each own group, and the roll calls. */
const MAX_TASKS = 80

/** As `list`, but tasks come first, and on the first page only. */
export async function listTasksFirst(viewer: MemberViewer, page: PageParams) {
  const own = ownNotificationsQuery(viewer)
  const others = await listNotificationsOfQuery(viewer, own.where('n.kind', 'not in', taskKinds), page)
  if (page.before !== undefined) return others
  const waiting = own.where('n.kind', 'in', taskKinds)
  const tasks = await listNotificationsOfQuery(viewer, waiting, { limit: MAX_TASKS })
  others.body.unshift(...tasks.body)
  return others
}

/** Newest event first. */
export const list = (viewer: MemberViewer, page: PageParams) =>
  listNotificationsOfQuery(viewer, ownNotificationsQuery(viewer), page)

/** Of these kinds, the newest event first. */
export const listOfKinds = (viewer: MemberViewer, kinds: readonly NotificationKind[], limit: number) =>
  listNotificationsOfQuery(viewer, ownNotificationsQuery(viewer).where('n.kind', 'in', kinds), { limit })

/**
 * Undefined if it is read, if the viewer may not see or has muted all its people, or has muted the
 * conversation. Ignores that the viewer has switched off its kind in the app.
 */
export async function findForPush(viewer: MemberViewer, id: number) {
  const found = ownNotificationsQuery(viewer)
    .where('n.id', '=', id)
    .where(({ not, or, and, eb }) =>
      not(
        or([
          and([
            eb('n.kind', 'in', ['quote', 'group_mention', 'group_poll_reminder']),
            ownMessages.isMutedChat(viewer, 'n.subject_id'),
          ]),
          and([eb('n.kind', '=', 'message_reaction'), ownMessages.isInMutedChat(viewer, 'n.subject_id')]),
        ]),
      ),
    )
  const { body } = await listNotificationsOfQuery(viewer, found, { limit: 1 }, { ignoresSwitches: true })
  return body.find(({ is_read }) => !is_read)
}

/** Those of these that are pushed in quiet hours too. */
export async function listUrgent(db: Db, ids: readonly number[]) {
  if (!ids.length) return []
  const rows = await db
    .selectFrom('notifications')
    .select('id')
    .where('id', 'in', ids)
    .where('kind', 'in', ['roll_call', 'roll_call_help', 'urgent_reminder'])
    .execute()
  return rows.map(({ id }) => id)
}

/** Why there was nothing to push. `unavailable`: the viewer may not see it (any more). */
export async function whyNotPushed(viewer: MemberViewer, id: number) {
  const notification = await find(viewer, id, { ignoresSwitches: true })
  if (!notification) return 'unavailable'
  return notification.is_read ? 'read' : 'muted'
}

/** Undefined if there is none, or the viewer may not see it. */
export async function find(viewer: MemberViewer, id: number, options: { ignoresSwitches?: boolean } = {}) {
  const found = ownNotificationsQuery(viewer).where('n.id', '=', id)
  const { body } = await listNotificationsOfQuery(viewer, found, { limit: 1 }, options)
  return body[0]
}

async function listNotificationsOfQuery(
  viewer: MemberViewer,
  notifications: ReturnType<typeof ownNotificationsQuery>,
  page: PageParams,
  options: { ignoresSwitches?: boolean } = {},
) {
  const found = notifications
    .select(['n.id', 'n.kind', 'n.subject_id', 'n.last_event_id', 'n.read_event_id'])
    .select((query) => query('n.kind', 'in', switchedOffKindsQuery(viewer)).as('is_off'))
    .where(({ exists }) => exists(visibleEvents(viewer)))
  const rows = await pageOf(found, 'n.last_event_id', page, 'desc').execute()
  const shown = rows.slice(0, page.limit)
  const people = await readPeople(viewer, shown)
  const named = shown.flatMap((row) => {
    const found = people.get(row.id)
    return found ? [{ ...row, ...found }] : []
  })
  const toSubjectFields = await subjectLookup(viewer, named)
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
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.last_event_id }),
    () => named.map(toNotification),
  )
}

/** The last who acted whom the viewer may see and has not muted, their number, and their newest event. */
async function readPeople(
  viewer: MemberViewer,
  notifications: readonly { id: number; kind: NotificationKind }[],
) {
  type People = {
    named: Notification['people']
    count: number
    newest_event_id: number
    newest_source_id: number
    updated_at: string
  }
  const people = new Map<number, People>()
  if (!notifications.length) return people
  const reachingPeople = persons.rows(viewer).where(visibility.reaches(viewer, 'users.id'))
  const ids = notifications.map(({ id }) => id)
  const newPosts = notifications.filter(({ kind }) => kind === 'new_post').map(({ id }) => id)
  const newestOfPeople = viewer.db
    .selectFrom('notification_events as e')
    .select(({ fn }) => ['notification_id', 'actor_id', fn.max('id').as('event_id')])
    .where('notification_id', 'in', ids)
    .where('ended_at', 'is', null)
    .$if(newPosts.length > 0, (query) =>
      query.where(({ or, eb }) =>
        or([eb('notification_id', 'not in', newPosts), postAudiences.visible(viewer, 'e.source_id')]),
      ),
    )
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
    .where('position', '<=', MAX_PEOPLE)
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
    known.named.push(persons.fromRow(viewer.media, shown))
    people.set(notification_id, known)
  }
  return people
}

import { type SqlBool, sql } from 'kysely'
import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { idIn, isoNow } from '#core/database/database.ts'
import type { GroupOfMember } from '#core/feature/groups.ts'
import { paged } from '#core/http/pagination.ts'
import * as guardians from '#features/guardians/read.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import * as audiences from '#features/posts/audiences.ts'
import { visiblePostIds } from '#features/posts/read.ts'
import { MAX_LENGTH } from './contract.ts'
import * as events from './rows.ts'
import type { EventDate, PostEvents } from './schemas.ts'

type Viewer = AppContext & ViewerContext

/** Dates of events whose posts the viewer may see. */
const shown = (viewer: Viewer) => events.dates(viewer.db).where(audiences.visible(viewer, 'e.post_id'))

/** 404 unless the viewer sees the post. */
export async function requireDate(viewer: Viewer, id: number) {
  const row = await shown(viewer).where('d.id', '=', id).executeTakeFirst()
  if (!row) throw events.notFound()
  return row
}

export async function get(viewer: Viewer, id: number) {
  return (await toDates(viewer, [await requireDate(viewer, id)]))[0]!
}

/** Those of these dates that the viewer may see. */
export async function visibleDates(viewer: Viewer, ids: readonly number[]) {
  const rows = await shown(viewer)
    .where(idIn(viewer.db, 'd.id', ids))
    .execute()
  return toDates(viewer, rows)
}

/** The next date of each post, or the last one. */
export async function ofPosts(viewer: Viewer, posts: readonly number[]): Promise<PostEvents> {
  const found: PostEvents = Object.fromEntries(posts.map((id) => [id, null]))
  if (!posts.length) return found
  const visible = await visiblePostIds(viewer, posts)
  if (!visible.length) return found
  const now = isoNow()
  const rows = await events
    .dates(viewer.db)
    .select(
      sql<number>`(select count(*) from event_dates o where o.event_id = e.id and o.ends_at > ${now})`.as(
        'upcoming',
      ),
    )
    .where('e.post_id', 'in', visible)
    .where(
      sql<SqlBool>`d.id = coalesce(
        (select n.id from event_dates n where n.event_id = e.id and n.ends_at > ${now}
          order by n.begins_at, n.id limit 1),
        (select l.id from event_dates l where l.event_id = e.id order by l.begins_at desc, l.id desc limit 1))`,
    )
    .execute()
  const dates = await toDates(viewer, rows)
  for (const [at, date] of dates.entries())
    found[date.post_id] = { date, upcoming: Number(rows[at]!.upcoming) }
  return found
}

interface Window {
  from: string
  to: string
  group?: number | undefined
  event?: number | undefined
  mine: '0' | '1'
  unanswered?: '0' | '1'
  after_begins?: string | undefined
  after?: number | undefined
  limit: number
}

const utc = (time: string) => new Date(time).toISOString()

export async function list(viewer: Viewer, window: Window) {
  const { from, to, group, event, mine, unanswered, limit, ...cursor } = window
  const asked = unanswered === '1' ? await asks(viewer) : null
  const begins = new Date(Date.parse(from) - MAX_LENGTH).toISOString()
  const rows = await shown(viewer)
    .where('d.begins_at', '>=', begins)
    .where('d.begins_at', '<', utc(to))
    .where('d.ends_at', '>', utc(from))
    .$if(group !== undefined, (query) => query.where('e.group_id', '=', group!))
    .$if(event !== undefined, (query) => query.where('d.event_id', '=', event!))
    .$if(mine === '1', (query) => query.where(joins(viewer)))
    .$if(asked !== null, (query) => query.where(asked!))
    .$if(cursor.after !== undefined && cursor.after_begins !== undefined, (query) =>
      query.where(sql<SqlBool>`(d.begins_at, d.id) > (${utc(cursor.after_begins!)}, ${cursor.after!})`),
    )
    .orderBy('d.begins_at')
    .orderBy('d.id')
    .limit(limit + 1)
    .execute()
  const page = paged(
    rows,
    limit,
    (last) => ({ after_begins: last.begins_at, after: last.id }),
    (found) => found,
  )
  return { ...page, body: await toDates(viewer, page.body) }
}

/** The member, or a child of the member, has said yes or perhaps. */
const joins = ({ db, me }: Viewer) =>
  sql<SqlBool>`exists (select 1 from event_answers a where a.date_id = d.id and a.answer <> 'no'
    and (a.user_id = ${me?.id ?? 0} or a.user_id in (${guardians.childIds(db, me?.id ?? 0)})))`

/**
 * The next date that can be answered, and the member or a child of the member who sees it has not. Ended groups
 * ask nobody.
 */
async function asks(viewer: Viewer) {
  const { me } = viewer
  if (!me) return sql<SqlBool>`1 = 0`
  const now = isoNow()
  const children = await guardians.listChildren({ ...viewer, me })
  const missing = (member: number) => sql<SqlBool>`e.user_id <> ${member} and not exists
    (select 1 from event_answers a where a.date_id = d.id and a.user_id = ${member})
    and (e.group_id is null or e.group_id not in ${audiences.endedGroups(viewer, member)})`
  const someone = [
    missing(me.id),
    ...children.map(
      ({ id }) =>
        sql<SqlBool>`${missing(id)} and ${audiences.visible(withoutRoles(viewer, id), 'e.post_id')}`,
    ),
  ]
  return sql<SqlBool>`d.closed_at is null and coalesce(d.answers_until, d.begins_at) > ${now}
    and d.id = (select n.id from event_dates n where n.event_id = d.event_id and n.cancelled_at is null
      and n.begins_at > ${now} order by n.begins_at, n.id limit 1)
    and (${sql.join(someone, sql` or `)})`
}

/** The caller has checked that the viewer sees the posts. In the order of the rows. */
async function toDates(viewer: Viewer, rows: readonly events.FullDate[]): Promise<EventDate[]> {
  const { db, me } = viewer
  const shared = await events.shared(db, rows)
  if (!me || !rows.length) return shared.map((date) => ({ ...date, mine: null, can_manage: false }))
  const member = { ...viewer, me }
  const [families, groups] = await Promise.all([childrenOf(member, rows), groupsOf(member)])
  const people = [me.id, ...families.map(({ child }) => child.id)]
  const [answers, absent] = await Promise.all([
    events.answersOf(
      db,
      rows.map(({ id }) => id),
      people,
    ),
    absences(
      member,
      rows.map(({ id }) => id),
    ),
  ])
  return shared.map((date, at) => {
    const { id, user_id, group_id, post_id, reminded_at } = rows[at]!
    const group = group_id === null ? undefined : groups.get(group_id)
    const canManage = user_id === me.id || Boolean(group?.is_owner)
    const children = families.filter(({ visible }) => visible.has(post_id))
    return {
      ...date,
      ...(group && {
        group: { id: group.id, name: group.name, ...(group.has_ended && { has_ended: true as const }) },
      }),
      mine: answers.get(`${id} ${me.id}`) ?? null,
      can_manage: canManage,
      ...(canManage && reminded_at !== null && { reminded_at }),
      ...(absent.has(id) && { is_absent: true as const }),
      ...(children.length > 0 && {
        children: children.map(({ child }) => ({ child, mine: answers.get(`${id} ${child.id}`) ?? null })),
      }),
    }
  })
}

async function absences({ db, me }: MemberContext, ids: readonly number[]) {
  const rows = await db
    .selectFrom('event_attendance')
    .select('date_id')
    .where(idIn(db, 'date_id', ids))
    .where('user_id', '=', me.id)
    .where('state', '=', 'absent')
    .execute()
  return new Set(rows.map(({ date_id }) => date_id))
}

async function groupsOf({ db, groups, me }: MemberContext) {
  const { rows } = await sql<GroupOfMember>`select * from (${groups.groupsOf(me.id)}) own`.execute(db)
  return new Map(rows.map((group) => [group.id, group]))
}

/** The children of a guardian, each with the ids of those of the posts that the child sees. */
async function childrenOf(viewer: MemberContext, rows: readonly events.FullDate[]) {
  const children = await guardians.listChildren(viewer)
  const posts = [...new Set(rows.map(({ post_id }) => post_id))]
  return Promise.all(
    children.map(async ({ id, name, profile_image }) => ({
      child: { id, name, profile_image },
      visible: new Set(await visiblePostIds(withoutRoles(viewer, id), posts)),
    })),
  )
}

import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { hasMatchingRow, isoNow, likePattern } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import type { PageParams } from '#core/schemas.ts'
import { foldNameForSearch, foldReading } from '#core/text/fold-names.ts'
import { sortKey } from '#core/text/readings.ts'
import { pictureField } from '#features/conversations/rows.ts'
import { foundRows } from '#features/groups/found.ts'
import { noSuchGroup } from '#features/groups/managers.ts'
import { PICTURE_GUARD } from '#features/groups/pictures.ts'
import { allQuery } from '#features/groups/read.ts'
import { notApart } from '#features/people/apart.ts'
import * as persons from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import { DAYS_AFTER_REFUSAL, type GroupDetails, type GroupRequest, type OpenGroup } from './contract.ts'

type Viewer = MemberViewer & Pick<AppContext, 'settings'>

const askAgainFrom = () => new Date(Date.now() - DAYS_AFTER_REFUSAL * 24 * 3600_000).toISOString()

/** The decision of the viewer's last request to the group `c`; a refusal only while it counts. */
const ownRequest = (me: number) =>
  sql<'waiting' | 'declined' | null>`(select case when r.decision is null then 'waiting' else r.decision end
    from group_requests r where r.group_id = c.id and r.user_id = ${me}
      and (r.decision is null or r.decision = 'declined' and r.decided_at > ${askAgainFrom()}))`

/** Of the group `c`. */
const wasRemoved = (me: number) =>
  sql<SqlBool>`exists (select 1 from group_removals g where g.group_id = c.id and g.user_id = ${me})`

const rowsWithAccess = (viewer: MemberViewer) =>
  foundRows(viewer)
    .leftJoin('group_access as o', 'o.group_id', 'c.id')
    .select(['o.access', 'o.reading'])
    .select([
      ownRequest(viewer.me.id).as('request'),
      sql<unknown>`${wasRemoved(viewer.me.id)}`.as('was_removed'),
    ])

/** Those that are not closed, and those with a request of the viewer. */
const openRows = (viewer: MemberViewer) =>
  rowsWithAccess(viewer)
    .where('c.ended_at', 'is', null)
    .where(
      sql<SqlBool>`(o.access <> 'closed' or o.access is not null and ${ownRequest(viewer.me.id)} = 'waiting')`,
    )
type OpenRow = Awaited<ReturnType<ReturnType<typeof openRows>['execute']>>[number]

/** The name contains the text, or the reading does; spaces do not count. */
function named(text: string) {
  const [name, reading] = [foldNameForSearch(text).replaceAll(' ', ''), foldReading(text)]
  const inName = sql<SqlBool>`replace(o.name_key, ' ', '') like ${likePattern(name)} escape '\\'`
  return reading
    ? sql<SqlBool>`(${inName} or o.reading_key like ${likePattern(reading)} escape '\\')`
    : inName
}

interface ListParams extends PageParams {
  q: string | null
  after_name: string | null
}

export async function list(viewer: Viewer, { q, after, after_name, limit }: ListParams) {
  const start = after !== undefined && after_name !== null ? sql`(${sortKey(after_name)}, ${after})` : null
  const rows = await openRows(viewer)
    .$if(q !== null, (found) => found.where(named(q!)))
    .$if(start !== null, (found) => found.where(sql<SqlBool>`(o.sort_key, o.group_id) > ${start}`))
    .orderBy('o.sort_key')
    .orderBy('o.group_id')
    .limit(limit + 1)
    .execute()
  return paged(
    rows,
    limit,
    ({ id, name, reading }) => ({ after: id, after_name: reading ?? name! }),
    (shown) => shown.map((row) => toGroup(viewer, row)),
  )
}

function toGroup({ media, settings }: Viewer, row: OpenRow): OpenGroup {
  const { max_group_members } = settings.current()
  const members_count = Number(row.members_count)
  const state = row.is_member ? 'member' : (row.request ?? 'none')
  return {
    id: row.id,
    name: row.name!,
    ...(row.reading !== null && { reading: row.reading }),
    ...(row.description && { description: row.description }),
    ...pictureField(media, row.picture),
    members_count,
    access: row.access === 'open' && row.was_removed ? 'ask' : (row.access ?? 'closed'),
    state,
    ...(max_group_members > 0 && members_count >= max_group_members && { is_full: true as const }),
  }
}

/** Undefined for a group that the viewer may neither join nor ask, and has not asked. `isLinked`: has its link. */
export const find = (viewer: MemberViewer, group: number, isLinked = false) =>
  (isLinked ? rowsWithAccess(viewer) : openRows(viewer)).where('c.id', '=', group).executeTakeFirst()

/** Members who are not in an open group see its picture in the list. */
export const pictureGuards = (context: AppContext): MediaGuards => ({
  [PICTURE_GUARD]: (me, picture) =>
    hasMatchingRow(openRows({ ...context, me }).where('c.picture', '=', picture)),
})

/** For who has its link. Undefined if the viewer may not see its owner. */
export async function findLinked(viewer: Viewer, group: number): Promise<OpenGroup | undefined> {
  const row = await find(viewer, group, true)
  if (!row) return undefined
  const shown = toGroup(viewer, { ...row, access: 'open' })
  // A refused request does not end what the link invites to, but a removal does.
  return shown.state === 'declined' && !row.was_removed ? { ...shown, state: 'none' } : shown
}

/** 404 unless it is in the list of the viewer, who is in it, or is an admin. */
export async function show(viewer: Viewer, group: number): Promise<GroupDetails> {
  const { me } = viewer
  const row = await rowsWithAccess(viewer).where('c.id', '=', group).executeTakeFirst()
  const isShown =
    row && (row.is_member || me.is_admin || row.request === 'waiting' || row.access !== 'closed')
  if (!row || !isShown || (row.access === null && !row.is_member && !me.is_admin)) throw noSuchGroup()
  const { count } = await decidable(viewer)
    .where('r.group_id', '=', group)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const manages = me.is_admin || row.owner_id === me.id
  const link_until = manages ? await linkEnd(viewer, group) : undefined
  return {
    ...toGroup(viewer, row),
    ...(link_until && { link_until }),
    ...(manages && { manages: true as const }),
    ...(Number(count) > 0 && { waiting_count: Number(count) }),
  }
}

async function linkEnd({ db }: MemberViewer, group: number) {
  const row = await db
    .selectFrom('group_links')
    .select('expires_at')
    .where('group_id', '=', group)
    .where('expires_at', '>', isoNow())
    .executeTakeFirst()
  return row?.expires_at
}

/**
 * Requests as `r` with their group `c` and person `u` that wait for the viewer. No block hides people from admins
 * there, as in the admin pages.
 */
function decidable(viewer: MemberViewer) {
  const { me } = viewer
  const people = persons.unfiltered(viewer).select('users.reading').where(notApart(viewer, 'users.id'))
  return allQuery(viewer.db)
    .innerJoin('group_requests as r', 'r.group_id', 'c.id')
    .innerJoin(
      people.$if(!me.is_admin, (shown) => shown.where(visibility.canSee(viewer, 'users.id'))).as('u'),
      'u.id',
      'r.user_id',
    )
    .where('r.decision', 'is', null)
    .where(({ or, eb }) => {
      const own = eb('c.owner_id', '=', me.id)
      if (!me.is_admin) return own
      return or([own, eb('c.owner_id', 'is', null), eb('r.needs_admin_since', 'is not', null)])
    })
}

/** Oldest first. */
export async function listRequests(viewer: MemberViewer, page: PageParams) {
  const found = decidable(viewer)
    .select(['r.id', 'r.created_at', 'r.needs_admin_since', 'c.id as group_id', 'c.name as group_name'])
    .select(['u.id as user_id', 'u.name', 'u.image', 'u.shared_handle', 'u.reading'])
    .select(
      sql<unknown>`exists (select 1 from group_removals g
        where g.group_id = r.group_id and g.user_id = r.user_id)`.as('was_removed'),
    )
  const rows = await pageOf(found, 'r.id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map((row) => toRequest(viewer, row)),
  )
}

interface RequestRow {
  id: number
  created_at: string
  needs_admin_since: string | null
  group_id: number
  group_name: string | null
  user_id: number
  name: string
  image: string | null
  shared_handle: string | null
  reading: string | null
  was_removed: unknown
}

const toRequest = ({ media }: MemberViewer, row: RequestRow): GroupRequest => ({
  id: row.id,
  group: { id: row.group_id, name: row.group_name! },
  person: persons.fromRow(media, {
    ...{ id: row.user_id, name: row.name, image: row.image },
    ...{ shared_handle: row.shared_handle, reading: row.reading },
  }),
  created_at: row.created_at,
  ...(Boolean(row.was_removed) && { was_removed: true as const }),
  ...(row.needs_admin_since !== null && { needs_admin: true as const }),
})

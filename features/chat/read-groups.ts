import { sql } from 'kysely'
import type { PaginationParameters } from '#core/contract.ts'
import { type Db, hasMatchingRow } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { MediaService } from '#core/media/media.ts'
import type { Person } from '#features/people/contract.ts'
import {
  buildUnfilteredPersonRowsQuery,
  buildVisibleOrFormerAuthorRowsQuery,
  buildVisiblePersonRowsQuery,
  toAvatarUrl,
  toPersonFromRow,
} from '#features/people/read.ts'
import {
  buildVisibleOrBlockedPersonCondition,
  type MemberViewerContext,
  type ViewerContext,
} from '#features/people/visibility.ts'
import type { Group, GroupChange, GroupMember } from './group-contract.ts'
import { requireGroupMembership } from './read.ts'
import { buildSharesReadMarksCondition } from './read-mark-conditions.ts'
import { computeSlowModeWaitInSeconds } from './slow-mode.ts'

const MAX_READS = 200
const MAX_CHANGES = 200

/**
 * Returns a query for all groups: the conversations whose `pair` is null. The `pair` of a private chat has
 * the ids of its two people. The query uses the index on `pair`.
 */
export const buildAllGroupsQuery = (db: Db) => db.selectFrom('conversations as c').where('c.pair', 'is', null)

/** SQL expression: the number of all members of the group with the table alias `c`. */
const membersCountExpression = sql<number>`(select count(*) from conversation_members m
  where m.conversation_id = c.id)`.as('members_count')

/**
 * Returns an object with the field `picture`, the path of a group's picture; an empty object if the group has
 * no picture.
 */
export const toGroupPictureField = (media: MediaService, picture: string | null) =>
  picture === null ? {} : { picture: toAvatarUrl(media, picture)! }

/** Lists a page of all groups for admins, the newest first. */
export async function listAllGroupsForAdmins(
  { db, media }: Pick<ViewerContext, 'db' | 'media'>,
  page: PaginationParameters,
) {
  const found = buildAllGroupsQuery(db)
    .select(['c.id', 'c.name', 'c.picture', 'c.created_at'])
    .select(membersCountExpression)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'c.id', page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ name, members_count, picture, ...row }) => ({
        ...row,
        ...toGroupPictureField(media, picture),
        name: name!,
        members_count: Number(members_count),
      })),
  )
}

/**
 * Lists the groups that have one of these names and that no member owns. Admins name such groups when they
 * add a list of people (feature `cards`). Several groups can have the same name. Leaves out the groups that a
 * member owns, because a member could give their own group the name of a school class.
 */
export async function listUnownedGroupsByNames(db: Db, names: readonly string[]) {
  if (!names.length) return []
  const rows = await buildAllGroupsQuery(db)
    .select(['c.id', 'c.name'])
    .select(membersCountExpression)
    .where('c.name', 'in', names)
    .where('c.owner_id', 'is', null)
    .execute()
  return rows.map(({ id, name, members_count }) => ({
    id,
    name: name!,
    members_count: Number(members_count),
  }))
}

export async function readGroup(viewer: MemberViewerContext, id: number): Promise<Group> {
  const membership = await requireGroupMembership(viewer, id)
  const { name, last_read_id, unopened_since, owner_id, slow_mode_seconds, description, picture } = membership
  const slow_mode_wait = computeSlowModeWaitInSeconds(viewer.me, membership)
  return {
    id,
    name,
    last_read_id,
    is_new: unopened_since !== null,
    reads: await furthestReads(viewer, id),
    members_count: await countVisibleGroupMembers(viewer, id),
    changes: await readGroupChanges(viewer, id),
    ...(owner_id === viewer.me.id && { is_owner: true }),
    ...(description && { description }),
    ...toGroupPictureField(viewer.media, picture),
    ...(slow_mode_seconds && { slow_mode_seconds }),
    ...(slow_mode_wait && { slow_mode_wait }),
  }
}

/**
 * Returns an SQL expression: the newest message, up to the read mark of the membership row `m`, that the
 * viewer may know of; null if there is none. The mark itself may be on a message of somebody who has blocked
 * the viewer.
 */
const knownReadMark = (viewer: MemberViewerContext) =>
  sql<number | null>`(select id from messages
    where conversation_id = m.conversation_id and id + 0 <= m.furthest_read_id
      and ${buildVisibleOrBlockedPersonCondition(viewer, 'messages.user_id')}
    order by id + 0 desc limit 1)`

/**
 * Lists the newest read marks of the group's other members whom the viewer may see, at most MAX_READS. Leaves
 * out members who do not show others what they have read. Returns an empty list if the viewer does not show
 * others what they have read.
 */
async function furthestReads(viewer: MemberViewerContext, group: number) {
  const rows = await viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(buildVisiblePersonRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.user_id', knownReadMark(viewer).as('last_read_id')])
    .where('m.conversation_id', '=', group)
    .where('m.user_id', '!=', viewer.me.id)
    .where('m.furthest_read_id', '>', 0)
    .where(buildSharesReadMarksCondition(sql.ref('m.user_id')))
    .where(buildSharesReadMarksCondition(sql`${viewer.me.id}`))
    .orderBy('m.furthest_read_id', 'desc')
    .limit(MAX_READS)
    .execute()
  return rows.flatMap(({ user_id, last_read_id }) =>
    last_read_id === null ? [] : [{ user_id, last_read_id }],
  )
}

/** Returns the number of all members of a group, which only admins may learn. */
export async function countAllGroupMembers(db: Db, group: number) {
  const { count } = await db
    .selectFrom('conversation_members')
    .select(sql<number>`count(*)`.as('count'))
    .where('conversation_id', '=', group)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the number of those members of a group whom the viewer may see. */
export async function countVisibleGroupMembers(viewer: MemberViewerContext, group: number) {
  const { count } = await viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(buildVisiblePersonRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(sql<number>`count(*)`.as('count'))
    .where('m.conversation_id', '=', group)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists a page of the members of a group, ordered by id, each with the person who added them. */
export async function listGroupMembers(
  viewer: MemberViewerContext,
  group: number,
  page: PaginationParameters,
) {
  const { owner_id } = await requireGroupMembership(viewer, group)
  const found = viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(buildVisiblePersonRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .leftJoin(buildVisiblePersonRowsQuery(viewer).as('by'), 'by.id', 'm.added_by')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 'm.created_at'])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .select('by.shared_handle as by_handle')
    .where('m.conversation_id', '=', group)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'm.user_id', page).execute()
  const toMember = ({ id, name, image, shared_handle, ...row }: (typeof rows)[number]): GroupMember => ({
    ...toPersonFromRow(viewer.media, { id, name, image, shared_handle }),
    added_by: toPersonFromLeftJoinedColumns(
      viewer.media,
      row.by_id,
      row.by_name,
      row.by_image,
      row.by_handle,
    ),
    added_at: row.created_at,
    ...(id === owner_id && { is_owner: true }),
  })
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map(toMember),
  )
}

// ── The history of a group's changes ─────────────────────────────────────────

const changeRows = (viewer: ViewerContext, people = buildVisibleOrFormerAuthorRowsQuery(viewer)) =>
  viewer.db
    .selectFrom('group_changes as c')
    .leftJoin(people.as('a'), 'a.id', 'c.actor_id')
    .leftJoin(people.as('p'), 'p.id', 'c.user_id')
    .select(['c.id', 'c.kind', 'c.name', 'c.slow_mode_seconds', 'c.created_at'])
    .select(['a.id as a_id', 'a.name as a_name', 'a.image as a_image', 'a.shared_handle as a_handle'])
    .select(['p.id as p_id', 'p.name as p_name', 'p.image as p_image', 'p.shared_handle as p_handle'])
type ChangeRow = Awaited<ReturnType<ReturnType<typeof changeRows>['execute']>>[number]

/** Reads the newest changes of a group, at most MAX_CHANGES, and returns them oldest first. */
async function readGroupChanges(viewer: MemberViewerContext, group: number) {
  const rows = await changeRows(viewer)
    .where('c.conversation_id', '=', group)
    .orderBy('c.id', 'desc')
    .limit(MAX_CHANGES)
    .execute()
  return rows.toReversed().map((row) => toChange(viewer.media, row))
}

/**
 * Reads a change of a group for a broadcast, with all people in it. `broadcastGroupChange` leaves the people
 * out for recipients who may not see them.
 */
export async function readGroupChangeForBroadcast(context: ViewerContext, id: number) {
  const row = await changeRows(context, buildUnfilteredPersonRowsQuery(context))
    .where('c.id', '=', id)
    .executeTakeFirstOrThrow()
  return toChange(context.media, row)
}

const toChange = (media: MediaService, { id, kind, name, created_at, ...row }: ChangeRow): GroupChange => ({
  id,
  kind,
  name,
  ...(row.slow_mode_seconds !== null && { slow_mode_seconds: row.slow_mode_seconds }),
  created_at,
  actor: toPersonFromLeftJoinedColumns(media, row.a_id, row.a_name, row.a_image, row.a_handle),
  person: toPersonFromLeftJoinedColumns(media, row.p_id, row.p_name, row.p_image, row.p_handle),
})

/**
 * Converts the columns of a person from a left join to a `Person`. Returns null if the join found no person.
 */
export const toPersonFromLeftJoinedColumns = (
  media: MediaService,
  id: number | null,
  name: string | null,
  image: string | null,
  shared_handle: string | null,
): Person | null => (id === null ? null : toPersonFromRow(media, { id, name: name!, image, shared_handle }))

/** Returns whether anybody other than the people with these ids has written a message in the group. */
export const hasGroupMessagesByPeopleOtherThan = (db: Db, group: number, ids: readonly number[]) =>
  hasMatchingRow(
    db
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', group)
      .where('user_id', 'not in', ids)
      .limit(1),
  )

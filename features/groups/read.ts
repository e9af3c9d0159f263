import { sql } from 'kysely'
import { type Db, hasMatchingRow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { MediaService } from '#core/media/media.ts'
import type { PageParams } from '#core/schemas.ts'
import type { GroupChange } from '#features/conversations/contract.ts'
import * as chats from '#features/conversations/read.ts'
import { sharingCondition } from '#features/conversations/read-mark-conditions.ts'
import { pictureField, toPerson } from '#features/conversations/rows.ts'
import * as persons from '#features/people/read.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import type { Group, GroupMember } from './contract.ts'
import { slowModeWait } from './slow-mode.ts'
import { mayWrite } from './writers.ts'

const MAX_READS = 200
const MAX_CHANGES = 200

/** Conversations without `pair`; uses the index on `pair`. */
export const allQuery = (db: Db) => db.selectFrom('conversations as c').where('c.pair', 'is', null)

/** SQL expression for the group `c`. */
export const membersCount = sql<number>`(select count(*) from conversation_members m
  where m.conversation_id = c.id)`.as('members_count')

/** Newest first. */
export async function listAll({ db, media }: Pick<ViewerContext, 'db' | 'media'>, page: PageParams) {
  const found = allQuery(db)
    .select(['c.id', 'c.name', 'c.picture', 'c.created_at', 'c.ended_at'])
    .select(membersCount)
  const rows = await pageOf(found, 'c.id', page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ name, members_count, picture, ended_at, ...row }) => ({
        ...row,
        ...(ended_at !== null && { has_ended: true as const }),
        ...pictureField(media, picture),
        name: name!,
        members_count: Number(members_count),
      })),
  )
}

/**
 * For a list of people that admins add (feature `cards`). Several groups can have the same name. Not those
 * that a member owns: a member could give their own group the name of a school class.
 */
export async function listUnowned(db: Db, names: readonly string[]) {
  if (!names.length) return []
  const rows = await allQuery(db)
    .select(['c.id', 'c.name'])
    .select(membersCount)
    .where('c.name', 'in', names)
    .where('c.owner_id', 'is', null)
    .where('c.ended_at', 'is', null)
    .execute()
  return rows.map(({ id, name, members_count }) => ({
    id,
    name: name!,
    members_count: Number(members_count),
  }))
}

export async function get(viewer: MemberViewer, id: number): Promise<Group> {
  const membership = await chats.requireMember(viewer, id)
  const { name, last_read_id, unopened_since, owner_id, slow_mode_seconds, description, picture } = membership
  const slow_mode_wait = slowModeWait(viewer.me, membership)
  const chosen_writers = membership.chosen_writers_since !== null
  return {
    id,
    name,
    last_read_id,
    is_new: unopened_since !== null,
    reads: await furthestReads(viewer, id),
    members_count: await countVisible(viewer, id),
    changes: await readGroupChanges(viewer, id),
    ...(owner_id === viewer.me.id && { is_owner: true }),
    ...(description && { description }),
    ...pictureField(viewer.media, picture),
    ...(slow_mode_seconds && { slow_mode_seconds }),
    ...(slow_mode_wait && { slow_mode_wait }),
    ...(chosen_writers && { chosen_writers }),
    ...(!mayWrite(viewer.me, membership) && { cannot_write: true }),
    ...(membership.ended_at !== null && { ended_at: membership.ended_at }),
  }
}

/** Newest message up to the mark that the viewer may know of: the mark may be on a message of a blocker. */
const knownReadMark = (viewer: MemberViewer) =>
  sql<number | null>`(select id from messages
    where conversation_id = m.conversation_id and id + 0 <= m.furthest_read_id
      and ${visibility.seenOrBlocked(viewer, 'messages.user_id')}
    order by id + 0 desc limit 1)`

/** Newest MAX_READS of others whom the viewer may see. Empty if the viewer hides their own mark. */
async function furthestReads(viewer: MemberViewer, group: number) {
  const rows = await viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(persons.rows(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.user_id', knownReadMark(viewer).as('last_read_id')])
    .where('m.conversation_id', '=', group)
    .where('m.user_id', '!=', viewer.me.id)
    .where('m.furthest_read_id', '>', 0)
    .where(sharingCondition(sql.ref('m.user_id')))
    .where(sharingCondition(sql`${viewer.me.id}`))
    .orderBy('m.furthest_read_id', 'desc')
    .limit(MAX_READS)
    .execute()
  return rows.flatMap(({ user_id, last_read_id }) =>
    last_read_id === null ? [] : [{ user_id, last_read_id }],
  )
}

/** For admins only. */
export async function countMembers(db: Db, group: number) {
  const { count } = await db
    .selectFrom('conversation_members')
    .select(sql<number>`count(*)`.as('count'))
    .where('conversation_id', '=', group)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countVisible(viewer: MemberViewer, group: number) {
  const { count } = await viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(persons.rows(viewer).as('u'), 'u.id', 'm.user_id')
    .select(sql<number>`count(*)`.as('count'))
    .where('m.conversation_id', '=', group)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** By id, each with the person who added them. */
export async function listMembers(viewer: MemberViewer, group: number, page: PageParams) {
  const { owner_id, created_by } = await chats.requireMember(viewer, group)
  const found = viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(persons.rows(viewer).select('reading').as('u'), 'u.id', 'm.user_id')
    .leftJoin(persons.rows(viewer).as('by'), 'by.id', 'm.added_by')
    .select(['u.id', 'u.name', 'u.reading', 'u.image', 'u.shared_handle'])
    .select(['m.created_at', 'm.may_write_since'])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .select('by.shared_handle as by_handle')
    .where('m.conversation_id', '=', group)
  const rows = await pageOf(found, 'm.user_id', page).execute()
  const toMember = ({
    id,
    name,
    reading,
    image,
    shared_handle,
    ...row
  }: (typeof rows)[number]): GroupMember => ({
    ...persons.fromRow(viewer.media, { id, name, reading, image, shared_handle }),
    added_by: toPerson(viewer.media, row.by_id, row.by_name, row.by_image, row.by_handle),
    added_at: row.created_at,
    ...(id === row.by_id && id !== created_by && { has_joined: true as const }),
    ...(id === owner_id && { is_owner: true }),
    ...(row.may_write_since !== null && { is_writer: true }),
  })
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map(toMember),
  )
}

const changeRows = (viewer: ViewerContext, people = persons.authors(viewer)) =>
  viewer.db
    .selectFrom('group_changes as c')
    .leftJoin(people.as('a'), 'a.id', 'c.actor_id')
    .leftJoin(people.as('p'), 'p.id', 'c.user_id')
    .select(['c.id', 'c.kind', 'c.name', 'c.slow_mode_seconds', 'c.created_at'])
    .select(['a.id as a_id', 'a.name as a_name', 'a.image as a_image', 'a.shared_handle as a_handle'])
    .select(['p.id as p_id', 'p.name as p_name', 'p.image as p_image', 'p.shared_handle as p_handle'])
type ChangeRow = Awaited<ReturnType<ReturnType<typeof changeRows>['execute']>>[number]

/** Newest MAX_CHANGES, oldest first. */
async function readGroupChanges(viewer: MemberViewer, group: number) {
  const rows = await changeRows(viewer)
    .where('c.conversation_id', '=', group)
    .orderBy('c.id', 'desc')
    .limit(MAX_CHANGES)
    .execute()
  return rows.toReversed().map((row) => toChange(viewer.media, row))
}

/** With all people; `chatBroadcasts.groupChanged` leaves them out for recipients who may not see them. */
export async function getChange(context: ViewerContext, id: number) {
  const row = await changeRows(context, persons.unfiltered(context))
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
  actor: toPerson(media, row.a_id, row.a_name, row.a_image, row.a_handle),
  person: toPerson(media, row.p_id, row.p_name, row.p_image, row.p_handle),
})
export const hasMessagesBeside = (db: Db, group: number, ids: readonly number[]) =>
  hasMatchingRow(
    db
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', group)
      .where('user_id', 'not in', ids)
      .limit(1),
  )

/** For who manages them. */
export async function groupNames(db: Db, groups: readonly number[]) {
  if (!groups.length) return new Map<number, string>()
  const rows = await allQuery(db).select(['c.id', 'c.name']).where('c.id', 'in', groups).execute()
  return new Map(rows.map(({ id, name }) => [id, name!]))
}

/** Null if there is no such group. */
export async function getGroupName(db: Db, group: number) {
  const row = await db.selectFrom('conversations').select('name').where('id', '=', group).executeTakeFirst()
  return row?.name ?? null
}

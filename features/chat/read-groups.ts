import { sql } from 'kysely'
import type { PageParameters } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { limitToKeysetPage } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { MediaService } from '#core/media/media.ts'
import type { Person } from '#features/people/contract.ts'
import {
  allAuthorsQuery,
  authorColumnsQuery,
  personColumnsQuery,
  toPublicPerson,
} from '#features/people/read.ts'
import type { MemberViewerContext, ViewerContext } from '#features/people/visibility.ts'
import type { Group, GroupChange, GroupMember } from './contract.ts'
import { requireMembership } from './read.ts'

const MAX_READS = 200
const MAX_CHANGES = 200

/** Query: all groups. Only groups have no pair, so the index on `pair` finds them. */
export const groupsQuery = (db: Db) => db.selectFrom('conversations as c').where('c.pair', 'is', null)

/** Lists all groups for admins, the newest first. */
export async function listAllGroups(db: Db, page: PageParameters) {
  const found = groupsQuery(db)
    .select(['c.id', 'c.name', 'c.created_at'])
    .select((query) =>
      query
        .selectFrom('conversation_members')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('conversation_id', '=', 'c.id')
        .as('members_count'),
    )
  const rows = await limitToKeysetPage(found, 'c.id', page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ name, members_count, ...row }) => ({
        ...row,
        name: name!,
        members_count: members_count!,
      })),
  )
}

export async function readGroup(viewer: MemberViewerContext, id: number): Promise<Group> {
  const { name, last_read_id, unopened_since } = await requireMembership(viewer, id)
  return {
    id,
    name,
    last_read_id,
    is_new: unopened_since !== null,
    reads: await furthestReads(viewer, id),
    members_count: await countMembers(viewer, id),
    changes: await readGroupChanges(viewer, id),
  }
}

const furthestReads = (viewer: MemberViewerContext, group: number) =>
  viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(personColumnsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.user_id', 'm.last_read_id'])
    .where('m.conversation_id', '=', group)
    .where('m.user_id', '!=', viewer.me.id)
    .where('m.last_read_id', '>', 0)
    .orderBy('m.last_read_id', 'desc')
    .limit(MAX_READS)
    .execute()

async function countMembers(viewer: MemberViewerContext, group: number) {
  const { count } = await viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(personColumnsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(sql<number>`count(*)`.as('count'))
    .where('m.conversation_id', '=', group)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists the members of a group, ordered by id, each with the person who added them. */
export async function listGroupMembers(viewer: MemberViewerContext, group: number, page: PageParameters) {
  await requireMembership(viewer, group)
  const found = viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin(personColumnsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .leftJoin(personColumnsQuery(viewer).as('by'), 'by.id', 'm.added_by')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 'm.created_at'])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .select('by.shared_handle as by_handle')
    .where('m.conversation_id', '=', group)
  const rows = await limitToKeysetPage(found, 'm.user_id', page).execute()
  const toMember = ({ id, name, image, shared_handle, ...row }: (typeof rows)[number]): GroupMember => ({
    ...toPublicPerson(viewer.media, { id, name, image, shared_handle }),
    added_by: toPersonOrNull(viewer.media, row.by_id, row.by_name, row.by_image, row.by_handle),
    added_at: row.created_at,
  })
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map(toMember),
  )
}

// ── Group history ───────────────────────────────────────────────────────────

const changeRows = (viewer: ViewerContext, people = authorColumnsQuery(viewer)) =>
  viewer.db
    .selectFrom('group_changes as c')
    .leftJoin(people.as('a'), 'a.id', 'c.actor_id')
    .leftJoin(people.as('p'), 'p.id', 'c.user_id')
    .select(['c.id', 'c.kind', 'c.name', 'c.created_at'])
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
 * Reads a change of a group with all people in it, for a broadcast, which leaves out the viewers who may not
 * see them.
 */
export async function readGroupChange(context: ViewerContext, id: number) {
  const row = await changeRows(context, allAuthorsQuery(context))
    .where('c.id', '=', id)
    .executeTakeFirstOrThrow()
  return toChange(context.media, row)
}

const toChange = (media: MediaService, { id, kind, name, created_at, ...row }: ChangeRow): GroupChange => ({
  id,
  kind,
  name,
  created_at,
  actor: toPersonOrNull(media, row.a_id, row.a_name, row.a_image, row.a_handle),
  person: toPersonOrNull(media, row.p_id, row.p_name, row.p_image, row.p_handle),
})

/** Converts the columns of a left join to a person. Returns null if the join found no person. */
export const toPersonOrNull = (
  media: MediaService,
  id: number | null,
  name: string | null,
  image: string | null,
  shared_handle: string | null,
): Person | null => (id === null ? null : toPublicPerson(media, { id, name: name!, image, shared_handle }))

import { sql } from 'kysely'
import type { PageParams } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { keysetPage } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { Media } from '#core/media/media.ts'
import type { Person } from '#features/people/contract.ts'
import { personRows, withAvatar } from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import type { Group, GroupChange, GroupMember } from './contract.ts'
import { membership } from './read.ts'

const MOST_READS = 200
const MOST_CHANGES = 200

/** All groups. Only groups have no pair: the index of the pairs finds their rows. */
export const groups = (db: Db) => db.selectFrom('conversations as c').where('c.pair', 'is', null)

/** All groups for admins, the newest first. */
export async function allGroups(db: Db, page: PageParams) {
  const found = groups(db)
    .select(['c.id', 'c.name', 'c.created_at'])
    .select((query) =>
      query
        .selectFrom('members')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('conversation_id', '=', 'c.id')
        .as('members_count'),
    )
  const rows = await keysetPage(found, 'c.id', page, 'desc').execute()
  return paged(
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

export async function group(viewer: MemberViewer, id: number): Promise<Group> {
  const { name, last_read_id, new_since } = await membership(viewer, id)
  return {
    id,
    name,
    last_read_id,
    is_new: new_since !== null,
    reads: await furthestReads(viewer, id),
    members_count: await membersCount(viewer, id),
    changes: await changes(viewer, id),
  }
}

const furthestReads = (viewer: MemberViewer, group: number) =>
  viewer.db
    .selectFrom('members as m')
    .innerJoin(personRows(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.user_id', 'm.last_read_id'])
    .where('m.conversation_id', '=', group)
    .where('m.user_id', '!=', viewer.me.id)
    .where('m.last_read_id', '>', 0)
    .orderBy('m.last_read_id', 'desc')
    .limit(MOST_READS)
    .execute()

async function membersCount(viewer: MemberViewer, group: number) {
  const { count } = await viewer.db
    .selectFrom('members as m')
    .innerJoin(personRows(viewer).as('u'), 'u.id', 'm.user_id')
    .select(sql<number>`count(*)`.as('count'))
    .where('m.conversation_id', '=', group)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The members of a group by id, each with the person who added them. */
export async function members(viewer: MemberViewer, group: number, page: PageParams) {
  await membership(viewer, group)
  const found = viewer.db
    .selectFrom('members as m')
    .innerJoin(personRows(viewer).as('u'), 'u.id', 'm.user_id')
    .leftJoin(personRows(viewer).as('by'), 'by.id', 'm.added_by')
    .select(['u.id', 'u.name', 'u.image', 'm.created_at'])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .where('m.conversation_id', '=', group)
  const rows = await keysetPage(found, 'm.user_id', page).execute()
  const toMember = ({ id, name, image, ...row }: (typeof rows)[number]): GroupMember => ({
    ...withAvatar(viewer.media, { id, name, image }),
    added_by: toPerson(viewer.media, row.by_id, row.by_name, row.by_image),
    added_at: row.created_at,
  })
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map(toMember),
  )
}

// ── What happened in a group ────────────────────────────────────────────────

const changeRows = (viewer: MemberViewer) =>
  viewer.db
    .selectFrom('group_changes as c')
    .leftJoin(personRows(viewer).as('a'), 'a.id', 'c.actor_id')
    .leftJoin(personRows(viewer).as('p'), 'p.id', 'c.person_id')
    .select(['c.id', 'c.kind', 'c.name', 'c.created_at'])
    .select(['a.id as a_id', 'a.name as a_name', 'a.image as a_image'])
    .select(['p.id as p_id', 'p.name as p_name', 'p.image as p_image'])
type ChangeRow = Awaited<ReturnType<ReturnType<typeof changeRows>['execute']>>[number]

/** The newest changes of a group, oldest first. */
async function changes(viewer: MemberViewer, group: number) {
  const rows = await changeRows(viewer)
    .where('c.conversation_id', '=', group)
    .orderBy('c.id', 'desc')
    .limit(MOST_CHANGES)
    .execute()
  return rows.toReversed().map((row) => toChange(viewer.media, row))
}

export async function change(viewer: MemberViewer, id: number) {
  const row = await changeRows(viewer).where('c.id', '=', id).executeTakeFirstOrThrow()
  return toChange(viewer.media, row)
}

const toChange = (media: Media, { id, kind, name, created_at, ...row }: ChangeRow): GroupChange => ({
  id,
  kind,
  name,
  created_at,
  actor: toPerson(media, row.a_id, row.a_name, row.a_image),
  person: toPerson(media, row.p_id, row.p_name, row.p_image),
})

/** Null where the left join found nobody. */
export const toPerson = (
  media: Media,
  id: number | null,
  name: string | null,
  image: string | null,
): Person | null => (id === null ? null : withAvatar(media, { id, name: name!, image }))

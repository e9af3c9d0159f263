import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { idIn, isoNow, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import type { PageParams } from '#core/schemas.ts'
import { lockConversation } from '#features/conversations/locks.ts'
import { allMemberIds } from '#features/people/deletion.ts'
import * as persons from '#features/people/read.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import { recordChange } from './changes.ts'
import * as readGroups from './read.ts'

// A group that ends, and the one that goes on in its place: many at once, at the turn of a year.

/** Those that have not ended, for admins. By id; with the owner, who is null if only admins manage it. */
export const listOpen = (viewer: ViewerContext, page: PageParams) =>
  pageOf(
    readGroups
      .allQuery(viewer.db)
      .leftJoin(persons.unfiltered(viewer).as('o'), 'o.id', 'c.owner_id')
      .select(['c.id', 'c.name', readGroups.membersCount])
      .select(['o.id as owner', 'o.name as owner_name', 'o.image', 'o.shared_handle'])
      .where('c.ended_at', 'is', null),
    'c.id',
    page,
  ).execute()

/** For admins. By id. */
export const listMembers = (viewer: ViewerContext, group: number, page: PageParams) =>
  pageOf(
    persons
      .unfiltered(viewer)
      .select('reading')
      .innerJoin('conversation_members as m', 'm.user_id', 'users.id')
      .where('m.conversation_id', '=', group),
    'users.id',
    page,
  ).execute()

/** In the order of their ids, so that all transactions lock them alike. */
export async function lockAll(tx: Tx, groups: readonly number[]) {
  for (const group of groups.toSorted((a, b) => a - b)) await lockConversation(tx, group)
  const rows = await readGroups
    .allQuery(tx)
    .select(['c.id', 'c.name', 'c.owner_id', 'c.ended_at'])
    .where('c.id', 'in', groups)
    .execute()
  return new Map(rows.map((row) => [row.id, { ...row, name: row.name! }]))
}

interface Renewed {
  group: number
  name: string
  members: readonly number[]
  /** One of them; null if only admins manage it. */
  owner: number | null
}

/** Resolves to the id of the new group, which has the description and the rules of the old one. */
export async function renew(context: MemberContext, tx: Tx, { group, name, members, owner }: Renewed) {
  const { me, emit } = context
  const now = isoNow()
  const { id } = await tx
    .insertInto('conversations')
    .columns([
      ...(['name', 'created_by', 'owner_id', 'created_at'] as const),
      ...(['description', 'slow_mode_seconds', 'chosen_writers_since'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom('conversations')
        .select([
          sql<string>`${name}`.as('name'),
          sql<number>`${me.id}`.as('created_by'),
          sql<number | null>`${owner}`.as('owner_id'),
          sql<string>`${now}`.as('created_at'),
          'description',
          'slow_mode_seconds',
          'chosen_writers_since',
        ])
        .where('id', '=', group),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into conversation_members
      (conversation_id, user_id, added_by, unopened_since, created_at, may_write_since)
    select ${id}, u.id, ${me.id}, case when u.id = ${me.id} then null else ${now} end, ${now}, old.may_write_since
    from ${allMemberIds(tx).where(idIn(tx, 'id', members))} u
      left join conversation_members old on old.conversation_id = ${group} and old.user_id = u.id`.execute(tx)
  await emit(tx, 'group.created', { conversation_id: id, actor_id: me.id })
  for (const user of members)
    if (user !== me.id)
      await emit(tx, 'group.member_added', { conversation_id: id, user_id: user, actor_id: me.id })
  await recordChange(context, tx, id, 'created', { name })
  return id
}

/** Without former members. */
export async function listMemberIds(tx: Tx, group: number) {
  const rows = await tx
    .selectFrom('conversation_members')
    .select('user_id')
    .where('conversation_id', '=', group)
    .where('user_id', 'in', allMemberIds(tx))
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Members go on reading it. The caller has locked it. */
export async function setEnded(context: MemberContext, tx: Tx, group: number, has_ended: boolean) {
  const ended_at = has_ended ? isoNow() : null
  await tx.updateTable('conversations').set({ ended_at }).where('id', '=', group).execute()
  const event = { conversation_id: group, actor_id: context.me.id, by_owner: !context.me.is_admin }
  if (has_ended) await context.emit(tx, 'group.ended', event)
  else await context.emit(tx, 'group.reopened', event)
  return recordChange(context, tx, group, has_ended ? 'ended' : 'reopened')
}

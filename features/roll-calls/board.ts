import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as chats from '#features/conversations/read.ts'
import * as visibility from '#features/people/visibility.ts'
import type { BoardCounts, BoardMember } from './contract.ts'
import { listGroups } from './managers.ts'
import { type BoardState, emptyCounts, endOf, firstOf, RANK_DIVISOR, stateOfRank } from './positions.ts'
import * as read from './read.ts'

const rank = sql<number>`m.position / ${sql.lit(RANK_DIVISOR)}`

async function counts(db: Db, call: number): Promise<BoardCounts> {
  const rows = await db
    .selectFrom('roll_call_members as m')
    .select([rank.as('rank'), sql<number>`count(*)`.as('count')])
    .where('m.roll_call_id', '=', call)
    .where(visibility.notSuspended('m.user_id'))
    .groupBy(rank)
    .execute()
  return toCounts(rows)
}

function toCounts(rows: readonly { rank: number; count: number }[]) {
  const sums = emptyCounts()
  for (const row of rows) sums[stateOfRank(Number(row.rank))] = Number(row.count)
  return sums
}

export async function get(viewer: MemberContext, id: number) {
  const { group_id } = await read.requireManaged(viewer, id)
  return {
    counts: await counts(viewer.db, id),
    groups: group_id === null ? await countGroups(viewer, id) : [],
  }
}

/** A member of several groups counts in each. */
async function countGroups(viewer: MemberContext, call: number) {
  const groups = await listGroups(viewer)
  if (!groups.length) return []
  const members = viewer.groups.membersOf(groups.map(({ id }) => id))
  const { rows } = await sql<{ group_id: number; rank: number; count: number }>`
    select g.group_id, ${rank} as rank, count(*) as count from (${members}) g
    join roll_call_members m on m.roll_call_id = ${call} and m.user_id = g.user_id
    where ${visibility.notSuspended('m.user_id')} group by g.group_id, ${rank}`.execute(viewer.db)
  const byGroup = Map.groupBy(rows, ({ group_id }) => group_id)
  return groups.flatMap((group) => {
    const own = byGroup.get(group.id)
    return own ? [{ ...group, counts: toCounts(own) }] : []
  })
}

interface Query extends PageParams {
  id: number
  state?: BoardState | undefined
  group_id?: number | undefined
}

/** Leaves out members whom the owner of the group may not see: the counts include them. */
export async function listMembers(viewer: MemberContext, { id, state, group_id, ...page }: Query) {
  const call = await read.requireManaged(viewer, id)
  const group = viewer.me.is_admin ? group_id : undefined
  const found = memberRows(viewer, call)
    .$if(state !== undefined, (query) =>
      query.where('m.position', '>=', firstOf(state!)).where('m.position', '<', endOf(state!)),
    )
    .$if(group !== undefined, (query) =>
      query.where(sql<boolean>`m.user_id in (${chats.memberIdsQuery(group!)})`),
    )
  const rows = await pageOf(found, 'm.position', page).execute()
  const shown = await toMembers(viewer, rows.slice(0, page.limit))
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.position }),
    () => shown,
  )
}

/** Owners see the numbers of those who are in the group now, not of those who have left since the end. */
const memberRows = (
  { db, me }: MemberContext,
  { id: call, group_id }: { id: number; group_id: number | null },
) =>
  db
    .selectFrom('roll_call_members as m')
    .leftJoin('roll_call_answers as a', 'a.id', 'm.answer_id')
    .leftJoin('phones as p', (join) =>
      join
        .onRef('p.user_id', '=', 'm.user_id')
        .on('p.shown_to', '!=', 'nobody')
        .on(
          me.is_admin ? sql<boolean>`1 = 1` : sql<boolean>`m.user_id in (${chats.memberIdsQuery(group_id!)})`,
        ),
    )
    .select(['m.user_id', 'm.position', 'p.number', 'a.id', 'a.state', 'a.words', 'a.place'])
    .select(['a.answered_by', 'a.created_at'])
    .where('m.roll_call_id', '=', call)
    .where(visibility.notSuspended('m.user_id'))
type Row = Awaited<ReturnType<ReturnType<typeof memberRows>['execute']>>[number]

async function toMembers(viewer: MemberContext, rows: readonly Row[]): Promise<BoardMember[]> {
  const ids = rows.flatMap(({ user_id, answered_by }) => [
    user_id,
    ...(answered_by === null ? [] : [answered_by]),
  ])
  const people = await read.boardPeople(viewer, ids)
  return rows.flatMap(({ user_id, number, id, state, created_at, ...row }) => {
    const person = people.get(user_id)
    if (!person) return []
    const answer =
      id === null ? null : read.toAnswer({ ...row, id, state: state!, created_at: created_at! }, people)
    return [{ person, answer, phone: number }]
  })
}

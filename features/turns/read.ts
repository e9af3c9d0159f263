import { type Db, hasMatchingRow } from '#core/database/database.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { toPerson } from '#features/conversations/rows.ts'
import * as renewal from '#features/groups/renewal.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import type { Planned, Turn } from './contract.ts'
import { nextName } from './next-name.ts'
import type { Step } from './plan.ts'

const MAX_TURNS = 20
/** In ms. */
const UNDO_TIME = 24 * 3600_000
export const undoFrom = () => new Date(Date.now() - UNDO_TIME).toISOString()

export async function listGroups(viewer: MemberViewer, page: PageParams) {
  const rows = await renewal.listOpen(viewer, page)
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) =>
      shown.map(({ id, name, members_count, owner, owner_name, image, shared_handle }) => ({
        id,
        name: name!,
        next: nextName(name!),
        members_count: Number(members_count),
        owner: toPerson(viewer.media, owner, owner_name, image, shared_handle),
      })),
  )
}

export async function listMembers(viewer: MemberViewer, group: number, page: PageParams) {
  const rows = await renewal.listMembers(viewer, group, page)
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map((row) => people.fromRow(viewer.media, row)),
  )
}

const turnRows = (viewer: MemberViewer) =>
  viewer.db
    .selectFrom('year_turns as t')
    .leftJoin(people.unfiltered(viewer).as('u'), 'u.id', 't.user_id')
    .select(['t.id', 't.created_at', 't.undone_at', 'u.id as user', 'u.name', 'u.image', 'u.shared_handle'])
    .select(({ selectFrom }) =>
      selectFrom('turn_groups')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('turn_groups.turn_id', '=', 't.id')
        .as('groups_count'),
    )
type TurnRow = Awaited<ReturnType<ReturnType<typeof turnRows>['execute']>>[number]

const toTurn = (
  { media }: MemberViewer,
  { id, created_at, undone_at, groups_count, ...by }: TurnRow,
): Turn => ({
  id,
  user: toPerson(media, by.user, by.name, by.image, by.shared_handle),
  created_at,
  groups_count: Number(groups_count),
  undone_at,
  can_undo: undone_at === null && created_at > undoFrom(),
})

/** Newest first. */
export const list = async (viewer: MemberViewer) =>
  (await turnRows(viewer).orderBy('t.id', 'desc').limit(MAX_TURNS).execute()).map((row) =>
    toTurn(viewer, row),
  )

export const get = async (viewer: MemberViewer, id: number) =>
  toTurn(viewer, await turnRows(viewer).where('t.id', '=', id).executeTakeFirstOrThrow())

export const exists = (db: Db, id: number) =>
  hasMatchingRow(db.selectFrom('year_turns').select('id').where('id', '=', id))

/** In the order of the steps. */
export async function describe(viewer: MemberViewer, steps: readonly Step[]): Promise<Planned[]> {
  const owners = steps.flatMap(({ owner }) => owner ?? [])
  const rows = owners.length ? await people.unfiltered(viewer).where('id', 'in', owners).execute() : []
  const persons = new Map(rows.map((row) => [row.id, people.fromRow(viewer.media, row)]))
  return steps.map(({ group, name, staying, leaving, joining, owner }) => ({
    group,
    name,
    staying: staying.length,
    leaving: leaving.length,
    joining: joining.length,
    owner: owner === null ? null : persons.get(owner)!,
  }))
}

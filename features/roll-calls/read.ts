import { type SqlBool, sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as groupsRead from '#features/groups/read.ts'
import * as guardians from '#features/guardians/read.ts'
import type { Person } from '#features/people/contract.ts'
import * as persons from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import type { AskedPerson, RollCall, RollCallAnswer, RollCallDetails } from './contract.ts'
import * as managers from './managers.ts'
import { endOf, firstOf } from './positions.ts'

/** Answers of one person that a page shows. */
const MAX_SHOWN = 20

/** The member and their children. */
const familyIds = (db: Db, me: number) =>
  sql<{ id: number }>`select cast(${me} as bigint) as id union all
    select k.child_id from (${guardians.childIds(db, me)}) k`

const inFamily = (db: Db, column: string, me: number) =>
  sql<SqlBool>`${sql.ref(column)} in (${familyIds(db, me)})`

const isUnanswered = sql<SqlBool>`m.position >= ${firstOf('none')} and m.position < ${endOf('none')}`

/** Whether the member, or a child of theirs, was asked and has not answered. */
export async function isWaiting(db: Db, call: number, me: number) {
  const { rows } = await sql`select 1 from roll_call_members m
    where m.roll_call_id = ${call} and ${isUnanswered} and ${inFamily(db, 'm.user_id', me)}
    limit 1`.execute(db)
  return rows.length > 0
}

const waitingCount = (db: Db, me: number) =>
  sql<number>`case when c.ended_at is null then (select count(*) from roll_call_members m
    where m.roll_call_id = c.id and ${isUnanswered} and ${inFamily(db, 'm.user_id', me)}) else 0 end`

/** Those that the viewer, or a child of theirs, was asked in, or that the viewer manages. */
function concerning(viewer: MemberContext) {
  const { db, me } = viewer
  const asked = sql<SqlBool>`c.id in (select m.roll_call_id from roll_call_members m
    where ${inFamily(db, 'm.user_id', me.id)})`
  const managed = sql<SqlBool>`c.group_id in (select o.id from (${managers.ownGroups(viewer, me.id)}) o)`
  return db
    .selectFrom('roll_calls as c')
    .selectAll('c')
    .select(waitingCount(db, me.id).as('waiting'))
    .$if(!me.is_admin, (query) => query.where(({ or }) => or([asked, managed])))
}
type Row = Awaited<ReturnType<ReturnType<typeof concerning>['execute']>>[number]

/** Newest first. */
export async function list(viewer: MemberContext, page: PageParams) {
  const rows = await pageOf(concerning(viewer), 'c.id', page, 'desc').execute()
  const shown = await toRollCalls(viewer, rows.slice(0, page.limit))
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    () => shown,
  )
}

async function toRollCalls(viewer: MemberContext, rows: readonly Row[]): Promise<RollCall[]> {
  const groups = await groupNames(
    viewer.db,
    rows.flatMap(({ group_id }) => group_id ?? []),
  )
  const starters = await visiblePeople(
    viewer,
    rows.flatMap(({ started_by }) => started_by ?? []),
  )
  const owned = await ownedGroups(viewer)
  return rows.map(({ id, title, is_drill, group_id, started_by, started_at, ended_at, waiting }) => ({
    ...{ id, title, started_at, ended_at },
    is_drill: Boolean(is_drill),
    group: group_id === null ? null : { id: group_id, name: groups.get(group_id) ?? '' },
    started_by: starters.get(started_by ?? 0) ?? null,
    manages: viewer.me.is_admin || (group_id !== null && owned.has(group_id)),
    waiting: Number(waiting),
  }))
}

async function groupNames(db: Db, ids: readonly number[]) {
  if (!ids.length) return new Map<number, string>()
  const rows = await groupsRead.allQuery(db).select(['c.id', 'c.name']).where('c.id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name ?? '']))
}

async function ownedGroups(viewer: MemberContext) {
  const { rows } = await managers.ownGroups(viewer, viewer.me.id).execute(viewer.db)
  return new Set(rows.map(({ id }) => id))
}

async function visiblePeople(viewer: MemberViewer, ids: readonly number[]) {
  if (!ids.length) return new Map<number, Person>()
  const rows = await persons.rows(viewer).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, persons.fromRow(viewer.media, row)]))
}

/** For the board: blocks hide nobody from admins, as in the admin pages. */
export const boardPeople = (viewer: MemberViewer, ids: readonly number[]) =>
  viewer.me.is_admin ? guardians.peopleById(viewer, ids) : visiblePeople(viewer, ids)

/** 404 unless it concerns the viewer. */
export async function get(viewer: MemberContext, id: number): Promise<RollCallDetails> {
  const row = await concerning(viewer).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw httpErrors.notFound()
  const [[call], people] = [await toRollCalls(viewer, [row]), await listFamily(viewer, id)]
  return { ...call!, people }
}

/** 404 unless the viewer manages it. */
export async function requireManaged(viewer: MemberContext, id: number) {
  const row = await viewer.db.selectFrom('roll_calls').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !(await managers.manages(viewer, row.group_id))) throw httpErrors.notFound()
  return row
}

/** Whether a member without a request may see the board. */
export async function mayWatch(
  { db, groups }: Pick<MemberContext, 'db' | 'groups'>,
  id: number,
  call: number,
) {
  const row = await db.selectFrom('roll_calls').select('group_id').where('id', '=', call).executeTakeFirst()
  if (!row) return false
  const me = { id, is_admin: await persons.isAdmin(db, id) }
  return managers.manages({ db, groups, me }, row.group_id)
}

/** The viewer and the children who were asked, with their answers. Blocks hide nobody in a family. */
async function listFamily(viewer: MemberViewer, call: number): Promise<AskedPerson[]> {
  const { db, me } = viewer
  const asked = await db
    .selectFrom('roll_call_members as m')
    .select('m.user_id')
    .where('m.roll_call_id', '=', call)
    .where(inFamily(db, 'm.user_id', me.id))
    .orderBy('m.user_id')
    .execute()
  const ids = asked.map(({ user_id }) => user_id).sort((a, b) => Number(b === me.id) - Number(a === me.id))
  const rows = await newestAnswers(db, call, ids)
  const people = await guardians.peopleById(viewer, [...ids, ...rows.map(({ answered_by }) => answered_by)])
  return ids.flatMap((id) => {
    const person = people.get(id)
    const own = rows.filter(({ user_id }) => user_id === id)
    return person ? [{ person, answers: own.map((row) => toAnswer(row, people)) }] : []
  })
}

interface AnswerRow {
  id: number
  user_id: number
  state: RollCallAnswer['state']
  words: string | null
  place: string | null
  answered_by: number | null
  created_at: string
}

async function newestAnswers(db: Db, call: number, ids: readonly number[]) {
  if (!ids.length) return []
  const { rows } = await sql<AnswerRow>`select * from (
      select a.*, row_number() over (partition by a.user_id order by a.id desc) as age
      from roll_call_answers a where a.roll_call_id = ${call} and a.user_id in (${sql.join(ids)})) newest
    where age <= ${MAX_SHOWN} order by id desc`.execute(db)
  return rows
}

export const toAnswer = (
  { id, state, words, place, answered_by, created_at: at }: Omit<AnswerRow, 'user_id'>,
  people: ReadonlyMap<number, Person>,
): RollCallAnswer => ({ id, state, words, place, at, by: people.get(answered_by ?? 0) ?? null })

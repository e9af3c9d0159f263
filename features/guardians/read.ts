import { type SqlBool, sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as accounts from '#features/people/accounts.ts'
import { childAccounts } from '#features/people/children.ts'
import type { Person } from '#features/people/contract.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import {
  type ChildNotice,
  type ContactRequest,
  type GuardedChild,
  MAX_CHILDREN,
  MAX_REQUESTS,
} from './contract.ts'

/** Without visibility rules: no block hides a child's contacts from guardians, or guardians from a child. */
export async function peopleById(viewer: MemberViewer, ids: readonly (number | null)[]) {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (!wanted.length) return new Map<number, Person>()
  const rows = await people.unfiltered(viewer).where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, people.fromRow(viewer.media, row)]))
}

/** Accounts without a mark are not in the map. `readPeople` reads the guardians. */
async function readMarks<P extends Person>(
  viewer: MemberViewer,
  ids: readonly number[],
  readPeople: (viewer: MemberViewer, ids: readonly number[]) => Promise<Map<number, P>>,
) {
  const marks = new Map<number, { ends_on: string; guardians: P[] }>()
  if (!ids.length) return marks
  const children = await childAccounts(viewer.db).where('user_id', 'in', ids).execute()
  if (!children.length) return marks
  for (const { user_id, ends_on } of children) marks.set(user_id, { ends_on, guardians: [] })
  const guardians = await viewer.db
    .selectFrom('guardians')
    .select(['child_id', 'guardian_id'])
    .where('child_id', 'in', [...marks.keys()])
    .orderBy('guardian_id')
    .execute()
  const people = await readPeople(
    viewer,
    guardians.map(({ guardian_id }) => guardian_id),
  )
  for (const { child_id, guardian_id } of guardians) {
    const person = people.get(guardian_id)
    if (person) marks.get(child_id)?.guardians.push(person)
  }
  return marks
}

/** Accounts that are not a child's are not in the map. */
export const getMarks = (viewer: MemberViewer, ids: readonly number[]) => readMarks(viewer, ids, peopleById)

/** With the handles of the guardians. */
export const getAdminMarks = (viewer: MemberViewer, ids: readonly number[]) =>
  readMarks(viewer, ids, async ({ db, media }, guardians) => {
    if (!guardians.length) return new Map()
    const rows = await accounts.personRows(db).where('users.id', 'in', guardians).execute()
    return new Map(rows.map(({ handle, ...row }) => [row.id, { ...people.fromRow(media, row), handle }]))
  })

const childrenOfGuardianQuery = (db: Db, guardian: number) =>
  db
    .selectFrom('guardians as g')
    .innerJoin(childAccounts(db).as('c'), 'c.user_id', 'g.child_id')
    .select(['g.child_id', 'g.seen_at'])
    .where('g.guardian_id', '=', guardian)

export const childIds = (db: Db, guardian: number) =>
  childrenOfGuardianQuery(db, guardian).clearSelect().select('g.child_id')

/** True of who is a guardian, also of somebody who is no child any more. */
export const guardsAnyone = (member: number) =>
  sql<SqlBool>`exists (select 1 from guardians where guardian_id = ${member})`

/** Pairs of a child and a guardian. */
export const guardianPairs = (db: Db) =>
  db
    .selectFrom('guardians as g')
    .innerJoin(childAccounts(db).as('c'), 'c.user_id', 'g.child_id')
    .select(['g.child_id', 'g.guardian_id'])

/** 404 unless the viewer is a guardian of the child. */
export async function requireGuardian({ db, me }: Pick<MemberContext, 'db' | 'me'>, child: number) {
  if (!(await hasMatchingRow(childrenOfGuardianQuery(db, me.id).where('g.child_id', '=', child))))
    throw httpErrors.notFound()
}

export async function listChildren(viewer: MemberViewer): Promise<GuardedChild[]> {
  const rows = await childrenOfGuardianQuery(viewer.db, viewer.me.id)
    .orderBy('g.child_id')
    .limit(MAX_CHILDREN)
    .execute()
  const ids = rows.map(({ child_id }) => child_id)
  const [marks, people] = [await getMarks(viewer, ids), await peopleById(viewer, ids)]
  return ids.flatMap((id) => {
    const [mark, person] = [marks.get(id), people.get(id)]
    return mark && person ? [{ ...person, ...mark }] : []
  })
}

/** For all children of a guardian. */
const waitingRequestsQuery = (db: Db, guardian: number) =>
  childrenOfGuardianQuery(db, guardian)
    .innerJoin('child_contacts as k', 'k.child_id', 'g.child_id')
    .where('k.state', '=', 'requested')

export const hasRequests = (db: Db, guardian: number) =>
  hasMatchingRow(waitingRequestsQuery(db, guardian).limit(1))

export async function listRequests(viewer: MemberViewer): Promise<ContactRequest[]> {
  const rows = await waitingRequestsQuery(viewer.db, viewer.me.id)
    .select(['k.person_id', 'k.asked_by', 'k.asked_at'])
    .orderBy('k.asked_at')
    .orderBy('k.child_id')
    .orderBy('k.person_id')
    .limit(MAX_REQUESTS)
    .execute()
  const people = await peopleById(
    viewer,
    rows.flatMap(({ child_id, person_id }) => [child_id, person_id]),
  )
  return rows.flatMap(({ child_id, person_id, asked_by, asked_at }) => {
    const [child, person] = [people.get(child_id), people.get(person_id)]
    return child && person ? [{ child, person, asked_at, asked_by: askerRole(asked_by, child_id) }] : []
  })
}

export const askerRole = (asked_by: number | null, child: number) =>
  asked_by === null ? null : asked_by === child ? ('child' as const) : ('person' as const)

export async function listGroups(viewer: MemberContext, { id, ...page }: PageParams & { id: number }) {
  await requireGuardian(viewer, id)
  const { rows } = await sql<{ id: number; name: string }>`
    select g.id, g.name from (${viewer.groups.groupsOf(id)}) g
    where g.id > ${page.after ?? 0} order by g.id limit ${page.limit + 1}`.execute(viewer.db)
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown,
  )
}

export async function listNotices(viewer: MemberContext, { id, ...page }: PageParams & { id: number }) {
  await requireGuardian(viewer, id)
  const found = viewer.db
    .selectFrom('child_notices')
    .select(['id', 'kind', 'text', 'ends_at', 'created_at'])
    .where('child_id', '=', id)
  const rows = await pageOf(found, 'id', page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown): ChildNotice[] => shown,
  )
}

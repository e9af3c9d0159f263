import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { type Db, hasMatchingRow } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { buildUnfilteredPersonAndHandleRowsQuery } from '#features/people/accounts.ts'
import { buildChildAccountsQuery, formatDateInServerTimeZone } from '#features/people/children.ts'
import type { Person } from '#features/people/contract.ts'
import { buildUnfilteredPersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import {
  type ChildContactRequest,
  type GuardedChild,
  MAX_CHILD_CONTACT_REQUESTS_PER_RESPONSE,
  MAX_CHILDREN_OF_GUARDIAN,
  type NoticeAboutChild,
} from './contract.ts'

/**
 * Returns a map from ids to people, without visibility rules: a block must not hide from a guardian with whom
 * the child talks, nor from a child who its guardians are.
 */
export async function readUnfilteredPeopleMapById(
  viewer: MemberViewerContext,
  ids: readonly (number | null)[],
) {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (!wanted.length) return new Map<number, Person>()
  const rows = await buildUnfilteredPersonRowsQuery(viewer).where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, toPersonFromRow(viewer.media, row)]))
}

/**
 * Returns a map from the ids of these accounts to their marks as a child's account. Accounts without a mark
 * are not in the map. The function `readPeople` reads the guardians.
 */
async function readMarks<P extends Person>(
  viewer: MemberViewerContext,
  ids: readonly number[],
  readPeople: (viewer: MemberViewerContext, ids: readonly number[]) => Promise<Map<number, P>>,
) {
  const marks = new Map<number, { ends_on: string; guardians: P[] }>()
  if (!ids.length) return marks
  const children = await buildChildAccountsQuery(viewer.db).where('user_id', 'in', ids).execute()
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

/**
 * Returns a map from the ids of these accounts to their marks as a child's account, with the guardians.
 * Accounts that are not a child's are not in the map.
 */
export const readChildAccountMarksByAccountId = (viewer: MemberViewerContext, ids: readonly number[]) =>
  readMarks(viewer, ids, readUnfilteredPeopleMapById)

/**
 * Returns the same map as `readChildAccountMarksByAccountId`, but with the handles of the guardians, for
 * admins.
 */
export const readChildAccountMarksByAccountIdForAdmins = (
  viewer: MemberViewerContext,
  ids: readonly number[],
) =>
  readMarks(viewer, ids, async ({ db, media }, guardians) => {
    if (!guardians.length) return new Map()
    const rows = await buildUnfilteredPersonAndHandleRowsQuery(db)
      .where('users.id', 'in', guardians)
      .execute()
    return new Map(rows.map(({ handle, ...row }) => [row.id, { ...toPersonFromRow(media, row), handle }]))
  })

/** Builds the query for the children of a guardian. */
const childrenOfGuardianQuery = (db: Db, guardian: number) =>
  db
    .selectFrom('guardians as g')
    .innerJoin(buildChildAccountsQuery(db).as('c'), 'c.user_id', 'g.child_id')
    .select(['g.child_id', 'g.seen_at'])
    .where('g.guardian_id', '=', guardian)

/** Throws 404 unless the viewer is a guardian of the child. */
export async function requireGuardianOf({ db, me }: Pick<MemberContext, 'db' | 'me'>, child: number) {
  if (!(await hasMatchingRow(childrenOfGuardianQuery(db, me.id).where('g.child_id', '=', child))))
    throw httpErrorFactories.notFound()
}

export async function listChildrenOfGuardian(viewer: MemberViewerContext): Promise<GuardedChild[]> {
  const rows = await childrenOfGuardianQuery(viewer.db, viewer.me.id)
    .orderBy('g.child_id')
    .limit(MAX_CHILDREN_OF_GUARDIAN)
    .execute()
  const ids = rows.map(({ child_id }) => child_id)
  const [marks, people] = [
    await readChildAccountMarksByAccountId(viewer, ids),
    await readUnfilteredPeopleMapById(viewer, ids),
  ]
  return ids.flatMap((id) => {
    const [mark, person] = [marks.get(id), people.get(id)]
    return mark && person ? [{ ...person, ...mark }] : []
  })
}

/** Builds the query for the contact requests that wait for a decision, for all children of a guardian. */
const waitingRequestsQuery = (db: Db, guardian: number) =>
  childrenOfGuardianQuery(db, guardian)
    .innerJoin('child_contacts as k', 'k.child_id', 'g.child_id')
    .where('k.state', '=', 'requested')

export const hasGuardianWaitingContactRequests = (db: Db, guardian: number) =>
  hasMatchingRow(waitingRequestsQuery(db, guardian).limit(1))

export async function listWaitingContactRequestsOfGuardian(
  viewer: MemberViewerContext,
): Promise<ChildContactRequest[]> {
  const rows = await waitingRequestsQuery(viewer.db, viewer.me.id)
    .select(['k.person_id', 'k.asked_by', 'k.asked_at'])
    .orderBy('k.asked_at')
    .orderBy('k.child_id')
    .orderBy('k.person_id')
    .limit(MAX_CHILD_CONTACT_REQUESTS_PER_RESPONSE)
    .execute()
  const people = await readUnfilteredPeopleMapById(
    viewer,
    rows.flatMap(({ child_id, person_id }) => [child_id, person_id]),
  )
  return rows.flatMap(({ child_id, person_id, asked_by, asked_at }) => {
    const [child, person] = [people.get(child_id), people.get(person_id)]
    return child && person
      ? [{ child, person, asked_at, asked_by: toContactRequestAskerRole(asked_by, child_id) }]
      : []
  })
}

export const toContactRequestAskerRole = (asked_by: number | null, child: number) =>
  asked_by === null ? null : asked_by === child ? ('child' as const) : ('person' as const)

export async function listGroupsOfChild(
  viewer: MemberContext,
  { id, ...page }: PaginationParameters & { id: number },
) {
  await requireGuardianOf(viewer, id)
  const { rows } = await sql<{ id: number; name: string }>`
    select g.id, g.name from (${viewer.groups.groupsOf(id)}) g
    where g.id > ${page.after ?? 0} order by g.id limit ${page.limit + 1}`.execute(viewer.db)
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown,
  )
}

export async function listNoticesAboutChild(
  viewer: MemberContext,
  { id, ...page }: PaginationParameters & { id: number },
) {
  await requireGuardianOf(viewer, id)
  const found = viewer.db
    .selectFrom('child_notices')
    .select(['id', 'kind', 'text', 'ends_at', 'created_at'])
    .where('child_id', '=', id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'id', page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown): NoticeAboutChild[] => shown,
  )
}

/**
 * Creates the function for `requiredPage` of the module. That function returns the path of the guardians'
 * page if the member is the guardian of a new child, or has not seen a request or a notice; otherwise it
 * returns null.
 */
export function createGuardianPagePathFinderForUnseenNews({ db, queryCaches }: AppContext) {
  const hasNews = queryCaches<boolean>(['children', 'guardians', 'child_contacts', 'child_notices'], 5000)
  return async (me: number) => {
    const news = childrenOfGuardianQuery(db, me).where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('g.seen_at', 'is', null),
        exists(
          selectFrom('child_contacts as k')
            .select('k.person_id')
            .whereRef('k.child_id', '=', 'g.child_id')
            .where('k.state', '=', 'requested')
            .where(sql<boolean>`k.asked_at > g.seen_at`),
        ),
        exists(
          selectFrom('child_notices as n')
            .select('n.id')
            .whereRef('n.child_id', '=', 'g.child_id')
            .where(sql<boolean>`n.created_at > g.seen_at`),
        ),
      ]),
    )
    const key = `${me} ${formatDateInServerTimeZone()}`
    return (await hasNews(key, () => hasMatchingRow(news.limit(1)))) ? '/guardian' : null
  }
}

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type Db, hasMatchingRow, type QueryCacheDependency } from '#core/database/database.ts'
import { buildNotApartCondition } from './apart.ts'

/**
 * The person who reads data (`me`), and the services that reading functions need. Most functions of the files
 * read.ts take such a context as a parameter. A RequestContext also has this type.
 */
export interface ViewerContext extends Pick<AppContext, 'db' | 'media' | 'groups' | 'contacts'> {
  /** The viewer; null for a visitor who is not logged in. */
  me: CurrentUser | null
  /** The language in which the data contains the name “Former member”. Default: English. */
  lang?: Language
}
/** The context of a viewer who is logged in. */
export interface MemberViewerContext extends ViewerContext {
  me: CurrentUser
}

/** Returns whether the viewer is logged in. */
export const isMemberViewer = (viewer: ViewerContext): viewer is MemberViewerContext => viewer.me !== null

/**
 * A rule that hides people from each other. `viewer` is the id of a member, or 0 for a visitor. Both
 * functions return a query for one column of ids without nulls, or null if the rule hides nobody. No rule may
 * hide a person from themselves.
 */
export interface PersonVisibilityRule {
  /** Returns the query for the people whom the viewer may not see. */
  hiddenPeople(viewer: number): RawBuilder<{ id: number }> | null
  /** Returns the query for the viewers who may not see the person. */
  hiddenFrom(person: number): RawBuilder<{ id: number }> | null
}

/** The visibility rule that hides from a viewer the people whom the viewer has blocked. */
const ownBlocksRule: PersonVisibilityRule = {
  hiddenPeople: (viewer) =>
    viewer ? sql`select blocked_id as id from blocks where blocker_id = ${viewer}` : null,
  hiddenFrom: (person) => sql`select blocker_id as id from blocks where blocked_id = ${person}`,
}

/** The visibility rule that hides from a viewer the people who have blocked the viewer. */
const blocksByOthersRule: PersonVisibilityRule = {
  hiddenPeople: (viewer) =>
    viewer ? sql`select blocker_id as id from blocks where blocked_id = ${viewer}` : null,
  hiddenFrom: (person) => sql`select blocked_id as id from blocks where blocker_id = ${person}`,
}

/**
 * The rules that decide whom a viewer may see. A person is hidden if at least one rule hides the person.
 * Suspended accounts are visible, since their posts and messages stay. A new rule is one entry here, and
 * one entry of `visibilityAndMuteTableNames` for its table.
 *
 * Lists, pages, searches and counts of people follow the rules through `buildVisibleMembersQuery`, live
 * events and presence channels through `createRealtimeVisibilityRules`. The tests add a rule and look for the
 * person whom it hides. Code that changes the rows that a rule reads must call `realtime.recheckGuards` for
 * the people concerned, so that subscriptions end and presence channels send their member lists again.
 *
 * The numbers `likes_count` and `replies_count` do not follow the rules, because they name nobody
 * (docs/decisions/0014-one-like-count.md).
 */
export const personVisibilityRules: PersonVisibilityRule[] = [ownBlocksRule, blocksByOthersRule]

/**
 * The names of the tables that visibility rules, mutes and `contacts.apart` read. Caches of data that depend
 * on the viewer must be cleared when one of these tables changes.
 */
export const visibilityAndMuteTableNames: readonly QueryCacheDependency[] = [
  'users',
  'blocks',
  'mutes',
  // `contacts.apart` reads these two.
  'children',
  'child_contacts',
]

/** Builds the query for all ids that these queries select. Returns null if all of them are null. */
export function unionOf(queries: readonly (RawBuilder<{ id: number }> | null)[]) {
  const existing = queries.filter((query) => query !== null)
  return existing.length ? sql<{ id: number }>`${sql.join(existing, sql` union all `)}` : null
}

export const buildHiddenPeopleQuery = (viewer: number, rules: readonly PersonVisibilityRule[]) =>
  unionOf(rules.map((rule) => rule.hiddenPeople(viewer)))

/**
 * Builds the SQL condition that the viewer may see the person. `person` is the name of the column with the
 * person's id. The query for the hidden people does not depend on the row, so databases run it once for a
 * statement.
 */
export function buildVisiblePersonCondition(
  { me }: Pick<ViewerContext, 'me'>,
  person: string,
  rules = personVisibilityRules,
) {
  const hidden = buildHiddenPeopleQuery(me?.id ?? 0, rules)
  return hidden ? sql<SqlBool>`${sql.ref(person)} not in (${hidden})` : sql<SqlBool>`true`
}

/**
 * Builds the SQL condition that a viewer may see the person with the id `person`. `viewer` is the name of the
 * column with the id of the viewer. Queries that select viewers use this condition.
 */
export function buildViewerMaySeePersonCondition(person: number, viewer: string) {
  const hidden = unionOf(personVisibilityRules.map((rule) => rule.hiddenFrom(person)))
  return hidden ? sql<SqlBool>`${sql.ref(viewer)} not in (${hidden})` : sql<SqlBool>`true`
}

/**
 * Builds the query for the members whom a viewer may see. Every query for people, or for something that a
 * person wrote, selects from this query or a wider one of this file, or joins it. tests/boundaries.test.ts
 * refuses queries on `users` in other features.
 */
export const buildVisibleMembersQuery = (viewer: ViewerContext) =>
  buildVisibleOrFormerMembersQuery(viewer).where('users.former_since', 'is', null)

/**
 * Builds the query for the people of `buildVisibleMembersQuery`, and the former members, who are the
 * authors of messages that deleted accounts have left. Only queries for messages, conversations and
 * changes of groups use it.
 */
export function buildVisibleOrFormerMembersQuery(viewer: ViewerContext) {
  const people = viewer.db.selectFrom('users')
  // Adds no condition if no rule hides anybody from this viewer, as for visitors. The condition would be the
  // constant `true`, and Kysely would compile it again for every query.
  return buildHiddenPeopleQuery(viewer.me?.id ?? 0, personVisibilityRules)
    ? people.where(buildVisiblePersonCondition(viewer, 'users.id'))
    : people
}

/**
 * Builds the SQL condition that the viewer has not muted the person. `person` is the person's id, or the
 * name of the column with the id. A mute does not hide the person. It only hides what the person does in some
 * places: in lists of posts of several authors, in replies, in groups, in notifications and push messages,
 * and in unread counts. So a mute is no rule of `personVisibilityRules`.
 */
export const buildNotMutedCondition = ({ me }: Pick<ViewerContext, 'me'>, person: string | number) =>
  me
    ? sql<SqlBool>`${typeof person === 'number' ? person : sql.ref(person)} not in (select muted_id from mutes where muter_id = ${me.id})`
    : sql<SqlBool>`true`

/**
 * Builds the SQL condition that what the person says and does may be brought to the viewer unasked: the
 * viewer has not muted the person, and no guardian's refusal stands between the two (`contacts.apart`).
 * `person` is the name of the column with the person's id. Within a group that both are in, messages are not
 * brought, but read together: there, `buildNotMutedCondition` decides.
 */
export function buildReachCondition(
  viewer: Pick<ViewerContext, 'me' | 'contacts'>,
  person: string,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${buildNotMutedCondition(viewer, person)} and ${buildNotApartCondition(viewer, person)})`
}

/**
 * Builds the query for the members whom the viewer may see and whose words may be brought to the viewer: see
 * `buildReachCondition`. Queries for lists of posts of several authors, and for notifications, use it.
 */
export const buildReachingMembersQuery = (viewer: ViewerContext) => {
  const people = buildVisibleMembersQuery(viewer)
  return viewer.me ? people.where(buildReachCondition(viewer, 'users.id')) : people
}

/**
 * Builds the query of `buildVisibleMembersQuery` for the column `id` with the `sql` tag, which takes less
 * time than the query builder. Statements that run for each like use it.
 */
export const buildVisibleMemberIdsQuery = (viewer: Pick<ViewerContext, 'me'>) =>
  sql<{ id: number }>`select id from users
    where former_since is null and ${buildVisiblePersonCondition(viewer, 'users.id')}`

/**
 * Builds the query for the id of a person with the `sql` tag, as `buildVisibleMemberIdsQuery` does. It finds
 * nothing if the viewer may not see the person or has muted the person.
 */
export const buildVisibleUnmutedMemberIdQuery = (viewer: Pick<ViewerContext, 'me'>, person: number) =>
  sql<{ id: number }>`${buildVisibleMemberIdsQuery(viewer)} and id = ${person}
    and ${buildNotMutedCondition(viewer, person)}`

/**
 * Builds the SQL condition that the viewer may see the person, or that only the viewer's own block of the
 * person hides the person. `person` is the name of the column with the person's id.
 */
export const buildVisibleOrBlockedPersonCondition = (viewer: Pick<ViewerContext, 'me'>, person: string) =>
  buildVisiblePersonCondition(
    viewer,
    person,
    personVisibilityRules.filter((rule) => rule !== ownBlocksRule),
  )

/**
 * Builds the query for the people of `buildVisibleOrFormerMembersQuery`, and those whom the viewer has
 * blocked. The columns `is_blocked` and `is_muted` are not null for people whom the viewer has blocked or
 * muted. Only queries for chat messages use it. Lists of group messages show a note in place of each
 * message of a person whom the viewer has blocked or muted. The query does not select people who have blocked
 * the viewer, so that the viewer does not learn of the block.
 */
export const buildVisibleFormerOrBlockedMembersQuery = (viewer: MemberViewerContext) =>
  viewer.db
    .selectFrom('users')
    .where(buildVisibleOrBlockedPersonCondition(viewer, 'users.id'))
    .select((query) =>
      query
        .selectFrom('blocks')
        .select('blocks.blocked_id')
        .where('blocks.blocker_id', '=', viewer.me.id)
        .whereRef('blocks.blocked_id', '=', 'users.id')
        .as('is_blocked'),
    )
    .select((query) =>
      query
        .selectFrom('mutes')
        .select('mutes.muted_id')
        .where('mutes.muter_id', '=', viewer.me.id)
        .whereRef('mutes.muted_id', '=', 'users.id')
        .as('is_muted'),
    )

/** Returns whether the words of all members may be brought to the viewer: see `buildReachCondition`. */
export async function isEveryoneReaching({ db, me, contacts }: MemberViewerContext) {
  const muted = sql<{ id: number }>`select muted_id as id from mutes where muter_id = ${me.id}`
  const hidden = personVisibilityRules.map((rule) => rule.hiddenPeople(me.id))
  const notShown = unionOf([...hidden, muted, contacts.apart(me.id)])!
  return (await sql`select id from (${notShown}) not_shown limit 1`.execute(db)).rows.length === 0
}

/** Builds the query for the ids of the viewers who may not see the person, or have muted the person. */
function buildViewersHiddenFromOrMutingQuery(person: number) {
  const muters = sql<{ id: number }>`select muter_id as id from mutes where muted_id = ${person}`
  return unionOf([...personVisibilityRules.map((rule) => rule.hiddenFrom(person)), muters])!
}

/** Returns the ids of the viewers who may not see the person, or have muted the person. */
export const listViewerIdsWhoMuteOrMayNotSeePerson = async (db: Db, person: number) =>
  (await buildViewersHiddenFromOrMutingQuery(person).execute(db)).rows.map(({ id }) => id)

type ReachContext = Pick<AppContext, 'db' | 'contacts'>

/** Builds the query for the ids of the viewers to whom the words of the person may not be brought. */
const buildViewersNotReachedQuery = ({ contacts }: Pick<ReachContext, 'contacts'>, person: number) =>
  unionOf([buildViewersHiddenFromOrMutingQuery(person), contacts.apart(person)])!

/**
 * Returns the ids of the viewers who may not see the person, or to whom the words of the person may not be
 * brought (see `buildReachCondition`).
 */
export const listViewerIdsNotReached = async (context: ReachContext, person: number) =>
  (await buildViewersNotReachedQuery(context, person).execute(context.db)).rows.map(({ id }) => id)

/**
 * Builds the query for the ids of the members who may see the person, to whom the words of the person may be
 * brought (see `buildReachCondition`), and who are not suspended.
 */
const buildActiveMemberIdsShownPersonQuery = ({ db, contacts }: ReachContext, person: number) =>
  db
    .selectFrom('users')
    .select('id')
    .where('former_since', 'is', null)
    .where(buildNotSuspendedCondition('users.id'))
    .where(sql<SqlBool>`users.id not in (${buildViewersNotReachedQuery({ contacts }, person)})`)

/**
 * Returns at most `limit` ids above `after`, the lowest first, of the members who may see the person, to whom
 * the words of the person may be brought, and who are not suspended. The person is one of these members.
 */
export async function listActiveMemberIdsToWhomPersonIsShown(
  context: ReachContext,
  person: number,
  { after, limit }: { after: number; limit: number },
) {
  const query = buildActiveMemberIdsShownPersonQuery(context, person).where('id', '>', after)
  return (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

/**
 * Returns whether a member may see the person, the words of the person may be brought to the member, and the
 * member is not suspended.
 */
export const isPersonShownToMember = (context: ReachContext, person: number, member: number) =>
  hasMatchingRow(buildActiveMemberIdsShownPersonQuery(context, person).where('id', '=', member))

/** The names of the tables that `buildNotSuspendedCondition` reads. */
export const suspensionTableNames = ['suspensions', 'deletion_suspensions'] as const

/**
 * Builds the SQL condition that the member is not suspended. `member` is the name of the column with the
 * member's id. Suspended members cannot log in and have no session.
 */
export const buildNotSuspendedCondition = (member: string) =>
  sql<SqlBool>`(not exists (select 1 from suspensions where suspensions.user_id = ${sql.ref(member)})
    and not exists (select 1 from deletion_suspensions
      where deletion_suspensions.user_id = ${sql.ref(member)}))`

export const isMemberSuspended = async (db: Db, member: number) =>
  (await findSuspension(db, member)) !== undefined

/**
 * Returns the end and the reason of a member's suspension; undefined if the member is not suspended. The
 * suspension of a member whose account waits for its deletion by an admin has no end (`ends_at` is null).
 */
export async function findSuspension(db: Db, member: number) {
  const row = await db
    .selectFrom('users')
    .leftJoin('suspensions', 'suspensions.user_id', 'users.id')
    .leftJoin('deletion_suspensions', 'deletion_suspensions.user_id', 'users.id')
    .select(['suspensions.ends_at', 'suspensions.reason', 'suspensions.user_id as suspended'])
    .select('deletion_suspensions.user_id as awaits_deletion')
    .where('users.id', '=', member)
    .executeTakeFirst()
  if (!row || (row.suspended === null && row.awaits_deletion === null)) return undefined
  return { ends_at: row.awaits_deletion === null ? row.ends_at : null, reason: row.reason }
}

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { CacheDependency, Db } from '#core/database/database.ts'
import type { RealtimeVisibility } from '#core/realtime/visibility.ts'

/**
 * The person who reads data, and the services that reading needs. Every function of a read.ts takes it. A
 * RequestContext can be passed too.
 */
export interface ViewerContext extends Pick<AppContext, 'db' | 'media'> {
  /** Null for a visitor. */
  me: CurrentUser | null
  /** The language in which former members are called “former member”. Default: English. */
  lang?: Language
}
/** A viewer who is logged in. */
export interface MemberViewerContext extends ViewerContext {
  me: CurrentUser
}

/**
 * A reason why people do not see each other. A viewer is a user's id, or 0 for a visitor. Both functions
 * return a query for one column with ids, which is never null, or null if the rule hides nobody in this case.
 * No rule may hide a person from themselves.
 */
export interface VisibilityRule {
  /** Query: the people whom the viewer may not see. */
  hiddenPeople(viewer: number): RawBuilder<{ id: number }> | null
  /** Query: the viewers who may not see the person. */
  hiddenFrom(person: number): RawBuilder<{ id: number }> | null
}

/** Hides the people whom the viewer has blocked. */
const ownBlocksRule: VisibilityRule = {
  hiddenPeople: (viewer) =>
    viewer ? sql`select blocked_id as id from blocks where blocker_id = ${viewer}` : null,
  hiddenFrom: (person) => sql`select blocker_id as id from blocks where blocked_id = ${person}`,
}

/** Hides the people who have blocked the viewer. */
const blocksByOthersRule: VisibilityRule = {
  hiddenPeople: (viewer) =>
    viewer ? sql`select blocker_id as id from blocks where blocked_id = ${viewer}` : null,
  hiddenFrom: (person) => sql`select blocked_id as id from blocks where blocker_id = ${person}`,
}

/**
 * The rules that decide whom a viewer may see: somebody whom any of them hides is hidden. Suspended accounts
 * are visible, since their posts and messages stay. A new rule is one entry here, and one entry of
 * `visibilityCacheDependencies` for its table.
 *
 * Lists, pages, searches and counts of people follow the rules through `visiblePeopleQuery`, live events and
 * presence channels through `createRealtimeVisibility`. The tests add a rule and look for the person whom it
 * hides. Code that changes the rows that a rule reads must call `realtime.recheckGuards` for the people
 * concerned, so that subscriptions end and presence channels send their member lists again.
 *
 * `likes_count` does not follow the rules, because it names nobody (docs/decisions/0014-one-like-count.md).
 */
export const visibilityRules: VisibilityRule[] = [ownBlocksRule, blocksByOthersRule]

/**
 * The tables that the rules read. Caches of data that depend on the viewer must be cleared when one of them
 * changes.
 */
export const visibilityCacheDependencies: readonly CacheDependency[] = ['users', 'blocks']

/** Query: all ids that these queries select. Null if there is no query. */
function unionOf(queries: readonly (RawBuilder<{ id: number }> | null)[]) {
  const existing = queries.filter((query) => query !== null)
  return existing.length ? sql<{ id: number }>`${sql.join(existing, sql` union all `)}` : null
}

const hiddenPeopleQuery = (viewer: number, rules: readonly VisibilityRule[]) =>
  unionOf(rules.map((rule) => rule.hiddenPeople(viewer)))

/**
 * SQL condition: the viewer may see the person. `person` is the name of the column with the person's id. The
 * query for the hidden people does not depend on the row, so databases run it once for a statement.
 */
export function visiblePersonCondition(
  { me }: Pick<ViewerContext, 'me'>,
  person: string,
  rules = visibilityRules,
) {
  const hidden = hiddenPeopleQuery(me?.id ?? 0, rules)
  return hidden ? sql<SqlBool>`${sql.ref(person)} not in (${hidden})` : sql<SqlBool>`true`
}

/**
 * Query: the members whom a viewer may see. Every query for people, or for something that a person wrote,
 * selects from it or joins it. tests/boundaries.test.ts refuses queries on `users` elsewhere.
 */
export const visiblePeopleQuery = (viewer: ViewerContext) =>
  visibleAuthorsQuery(viewer).where('users.former_since', 'is', null)

/**
 * Query: the same people, and the former members, who are the authors of messages that deleted accounts have
 * left. Only queries for messages and conversations use it.
 */
export function visibleAuthorsQuery(viewer: ViewerContext) {
  const people = viewer.db.selectFrom('users')
  // A visitor's lists have no condition, because Kysely would compile it for every list.
  return hiddenPeopleQuery(viewer.me?.id ?? 0, visibilityRules)
    ? people.where(visiblePersonCondition(viewer, 'users.id'))
    : people
}

/**
 * Query: the same people, and those whom the viewer has blocked, with the column `is_blocked` (null for the
 * others). Only queries for messages of groups use it, which show a note instead of a message. People who
 * have blocked the viewer are not among them, so that the viewer does not learn of the block.
 */
export const authorsOrBlockedQuery = (viewer: MemberViewerContext) =>
  viewer.db
    .selectFrom('users')
    .where(
      visiblePersonCondition(
        viewer,
        'users.id',
        visibilityRules.filter((rule) => rule !== ownBlocksRule),
      ),
    )
    .select((query) =>
      query
        .selectFrom('blocks')
        .select('blocks.blocked_id')
        .where('blocks.blocker_id', '=', viewer.me.id)
        .whereRef('blocks.blocked_id', '=', 'users.id')
        .as('is_blocked'),
    )

/** The maximum number of sets of hidden ids that are cached. */
const CACHED_SETS = 5000

/** Creates the functions by which live events and presence channels follow the visibility rules. */
export function createRealtimeVisibility({
  db,
  queryCaches,
}: Pick<AppContext, 'db' | 'queryCaches'>): RealtimeVisibility {
  const ids = queryCaches<ReadonlySet<number>>(visibilityCacheDependencies, CACHED_SETS)
  const readIds = async (query: RawBuilder<{ id: number }>) =>
    new Set((await query.execute(db)).rows.map(({ id }) => id))
  const cached = (key: string, query: RawBuilder<{ id: number }> | null) =>
    query && ids(key, () => readIds(query))
  return {
    hiddenFrom: (person) =>
      cached(`from ${person}`, unionOf(visibilityRules.map((rule) => rule.hiddenFrom(person)))),
    hiddenPeople: (viewer) => cached(`to ${viewer}`, hiddenPeopleQuery(viewer, visibilityRules)),
  }
}

/**
 * SQL condition: the member is not suspended. `member` is the name of the column with the member's id.
 * Suspended members cannot log in and have no session.
 */
export const notSuspendedCondition = (member: string) =>
  sql<SqlBool>`not exists (select 1 from suspensions where suspensions.user_id = ${sql.ref(member)})`

export const isSuspended = async (db: Db, member: number) =>
  (await db.selectFrom('suspensions').select('user_id').where('user_id', '=', member).executeTakeFirst()) !==
  undefined

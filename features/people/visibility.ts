import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { CacheDependency, Db, Tables } from '#core/database/database.ts'
import type { RealtimeVisibility } from '#core/realtime/visibility.ts'

/**
 * The person who reads data, and the services that reading needs. Every function of a read.ts takes it. A
 * RequestContext can be passed too.
 */
export interface Viewer extends Pick<AppContext, 'db' | 'media'> {
  /** Null for a visitor. */
  me: CurrentUser | null
  /** The language in which former members are called “former member”. Default: English. */
  lang?: Language
}
/** A viewer who is logged in. */
export interface MemberViewer extends Viewer {
  me: CurrentUser
}

/**
 * Returns an SQL condition on a row of `users`: whether the viewer may see this person. `viewer` is the
 * viewer's id, or 0 for a visitor. The condition must never be null. For the person's own row it must be
 * true.
 */
export type VisibilityRule = (
  query: ExpressionBuilder<Tables, 'users'>,
  viewer: Expression<number>,
) => Expression<SqlBool>

/**
 * The rules that decide whom a viewer may see; all of them must hold. There is none today: everybody may see
 * every account, suspended ones included, since their posts and messages stay. A rule for blocks is one entry
 * here, and one entry of `visibilityCacheDependencies` for its table.
 *
 * Lists, pages, searches and counts of people follow the rules through `visiblePeopleQuery`, live events and
 * presence channels through `createRealtimeVisibility`. The tests add a rule and look for the person whom it
 * hides. Code that changes the rows that a rule reads must call `realtime.recheck` for the people concerned,
 * so that subscriptions end and presence channels send their member lists again.
 *
 * `likes_count` does not follow the rules, because it names nobody (docs/decisions/0014-one-like-count.md).
 */
export const visibilityRules: VisibilityRule[] = []

/**
 * The tables that the rules read. Caches of data that depend on the viewer must be cleared when one of them
 * changes.
 */
export const visibilityCacheDependencies: readonly CacheDependency[] = ['users']

const canSee = (query: ExpressionBuilder<Tables, 'users'>, viewer: Expression<number>) =>
  query.and(visibilityRules.map((rule) => rule(query, viewer)))

/**
 * Query: the members whom a viewer may see. Every query for people, or for something that a person wrote,
 * selects from it or joins it. tests/boundaries.test.ts refuses queries on `users` elsewhere.
 */
export const visiblePeopleQuery = (viewer: Viewer) =>
  visibleAuthorsQuery(viewer).where('users.former_since', 'is', null)

/**
 * Query: the same people, and the former members, who are the authors of messages that deleted accounts have
 * left. Only queries for messages and conversations use it.
 */
export function visibleAuthorsQuery({ db, me }: Viewer) {
  const people = db.selectFrom('users')
  // If there is no rule, no condition is added, because Kysely would compile it for every list.
  return visibilityRules.length ? people.where((query) => canSee(query, query.val(me?.id ?? 0))) : people
}

/** The maximum number of sets of hidden ids that are cached. */
const CACHED_SETS = 5000

/**
 * Creates the functions by which live events and presence channels follow the visibility rules. As long as
 * there is no rule, the functions do not read the database.
 */
export function createRealtimeVisibility({
  db,
  queryCaches,
}: Pick<AppContext, 'db' | 'queryCaches'>): RealtimeVisibility {
  const ids = queryCaches<ReadonlySet<number>>(visibilityCacheDependencies, CACHED_SETS)
  const setOf = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id))

  async function readHiddenFrom(person: number) {
    const viewers = db
      .selectFrom('users')
      .select('id')
      .unionAll(db.selectNoFrom(sql<number>`0`.as('id')))
      .as('viewers')
    const rows = await db
      .selectFrom(viewers)
      .select('viewers.id')
      .where(({ not, exists, ref }) => {
        const visible = db
          .selectFrom('users')
          .select('users.id')
          .where('users.id', '=', person)
          .where((query) => canSee(query, ref('viewers.id')))
        return not(exists(visible))
      })
      .execute()
    return setOf(rows)
  }

  async function readHiddenPeople(viewer: number) {
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where((query) => query.not(canSee(query, query.val(viewer))))
      .execute()
    return setOf(rows)
  }

  return {
    hiddenFrom: (person) =>
      visibilityRules.length ? ids(`from ${person}`, () => readHiddenFrom(person)) : null,
    hiddenPeople: (viewer) =>
      visibilityRules.length ? ids(`to ${viewer}`, () => readHiddenPeople(viewer)) : null,
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

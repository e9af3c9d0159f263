import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'
import type { Db, TableDependency, Tables } from '#core/database/database.ts'
import type { Audience } from '#core/realtime/audience.ts'

/**
 * The person who reads, and the services to read with. Every function of a read.ts takes it. The context of a
 * request is one.
 */
export interface Viewer extends Pick<AppContext, 'db' | 'media'> {
  /** Null for a visitor. */
  me: CurrentUser | null
}
/** A viewer who is logged in. */
export interface MemberViewer extends Viewer {
  me: CurrentUser
}

/**
 * A condition on a row of `users`: whether the viewer, an id or 0 for a visitor, may see this person. It is
 * SQL that is never null, and it always lets people see themselves.
 */
export type VisibilityRule = (
  query: ExpressionBuilder<Tables, 'users'>,
  viewer: Expression<number>,
) => Expression<SqlBool>

/**
 * The rules that decide whom a viewer may see; all of them must hold. There is none today: everybody may see
 * every account, suspended ones included, since their posts and messages stay. A rule for blocks is one entry
 * here, and its table joins `visibilityTables`.
 *
 * Lists, pages, searches and counts of people follow the rules through `visiblePeople`, live events and
 * presence channels through `createAudience`. The tests add a rule and look for the person whom it hides.
 * Code that changes rows of a rule calls `realtime.recheck` for the people concerned, so that subscriptions
 * end and presence channels tell their members again.
 *
 * `likes_count` is the same for all viewers on purpose: it names nobody (docs/decisions.md).
 */
export const visibilityRules: VisibilityRule[] = []

/** The tables that the rules read: caches of what a viewer sees depend on them. */
export const visibilityTables: readonly TableDependency[] = ['users']

const canSee = (query: ExpressionBuilder<Tables, 'users'>, viewer: Expression<number>) =>
  query.and(visibilityRules.map((rule) => rule(query, viewer)))

/**
 * The people whom a viewer may see. Every query for people, or for something that a person wrote, selects
 * from this or joins it. tests/boundaries.test.ts refuses a query for `users` elsewhere.
 */
export function visiblePeople({ db, me }: Viewer) {
  const people = db.selectFrom('users')
  // Without rules there is no condition: Kysely would compile it for every list.
  return visibilityRules.length ? people.where((query) => canSee(query, query.val(me?.id ?? 0))) : people
}

/** People and viewers whose sets of hidden ids stay in memory. */
const CACHED_SETS = 5000

/** Applies the rules to live events and presence channels. It reads nothing while there is no rule. */
export function createAudience({ db, queryCaches }: Pick<AppContext, 'db' | 'queryCaches'>): Audience {
  const ids = queryCaches<ReadonlySet<number>>(visibilityTables, CACHED_SETS)
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
        const seen = db
          .selectFrom('users')
          .select('users.id')
          .where('users.id', '=', person)
          .where((query) => canSee(query, ref('viewers.id')))
        return not(exists(seen))
      })
      .execute()
    return setOf(rows)
  }

  async function readHiddenTo(viewer: number) {
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
    hiddenTo: (viewer) => (visibilityRules.length ? ids(`to ${viewer}`, () => readHiddenTo(viewer)) : null),
  }
}

/**
 * Condition: the member whose id is in `member` is not suspended. Suspended members cannot log in and have no
 * session.
 */
export const notSuspended = (member: string) =>
  sql<SqlBool>`not exists (select 1 from suspensions where suspensions.user_id = ${sql.ref(member)})`

export const isSuspended = async (db: Db, member: number) =>
  (await db.selectFrom('suspensions').select('user_id').where('user_id', '=', member).executeTakeFirst()) !==
  undefined

import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'
import type { Db, TableDependency, Tables } from '#core/database/database.ts'

/** Who reads, and with which services. Every function of a read.ts takes it; the context of a request is one. */
export interface Viewer extends Pick<AppContext, 'db' | 'media'> {
  /** Null for a visitor. */
  me: CurrentUser | null
}
/** A viewer who is logged in. */
export interface MemberViewer extends Viewer {
  me: CurrentUser
}

/**
 * The people that a viewer may see: the one place that decides it. Every query for people, or for something that a
 * person wrote, selects from this or joins it, so a rule that is added here holds in all lists, pages, searches and
 * counts that the server answers with. tests/boundaries.test.ts refuses a query for `users` elsewhere, and
 * visibility.test.ts hides a person here and looks for them in every answer.
 * It does not reach three things that are the same for all: live events, presence channels, and the stored count of
 * likes. A rule that hides people from single viewers has to filter these as well.
 */
export const visiblePeople = ({ db, me }: Viewer) =>
  db.selectFrom('users').where((query) => canSee(query, me?.id ?? null))

/** The tables that the rules below read: caches of what a viewer sees depend on them. */
export const visibilityTables: readonly TableDependency[] = ['users']

/** Everybody may see every account today, suspended ones included: their posts and messages stay. */
function canSee(_query: ExpressionBuilder<Tables, 'users'>, _viewer: number | null) {
  return sql<SqlBool>`true`
}

/** Condition: the member whose id is in `member` is not suspended. Suspended members cannot log in and have no session. */
export const notSuspended = (member: string) =>
  sql<SqlBool>`not exists (select 1 from suspensions where suspensions.user_id = ${sql.ref(member)})`

export const isSuspended = async (db: Db, member: number) =>
  (await db.selectFrom('suspensions').select('user_id').where('user_id', '=', member).executeTakeFirst()) !==
  undefined

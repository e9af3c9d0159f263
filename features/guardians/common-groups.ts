import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'

/**
 * Builds the SQL condition that two members are in the same group. A member is an id, or a column of the
 * outer query. The tables of the outer query must not be named m or c, because `groupsOf` uses these names.
 */
export const buildCommonGroupCondition = (
  groups: AppContext['groups'],
  one: number | RawBuilder<number>,
  other: number | RawBuilder<number>,
) => sql<SqlBool>`exists (select 1 from (${groups.groupsOf(one)}) groups_of_one
  join (${groups.groupsOf(other)}) groups_of_other on groups_of_other.id = groups_of_one.id)`

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'

/** A group that has ended does not count. A member is an id or a column of the outer query, whose tables must not be m or c (see `groupsOf`). */
export const inCommonGroup = (
  groups: AppContext['groups'],
  one: number | RawBuilder<number>,
  other: number | RawBuilder<number>,
) => sql<SqlBool>`exists (select 1 from (${groups.groupsOf(one)}) groups_of_one
  join (${groups.groupsOf(other)}) groups_of_other on groups_of_other.id = groups_of_one.id
  where not groups_of_one.has_ended)`

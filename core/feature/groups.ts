import { type RawBuilder, sql } from 'kysely'
import type { CacheDependency } from '#core/database/database.ts'

/**
 * A group that a member is in. `is_owner` is true or 1 if the member owns the group, `has_ended` if nobody writes
 * in it or meets others through it any more.
 */
export interface GroupOfMember {
  id: number
  name: string
  is_owner: boolean | number | null
  has_ended: boolean | number
}

/**
 * Builds queries for the groups of members. The feature that has groups provides them in its module.
 * Features that may not import that feature use the queries to decide what the members of a group may see.
 */
export interface GroupQueries {
  /**
   * Returns the key for `withLock` of a group. Code that adds a member holds this lock until after the
   * commit, so that the events of the group leave in the order of the commits.
   */
  lockKeyOf(group: number): string
  /**
   * Builds the query for the groups that a member is in. `member` is an id, or a column of an outer query.
   */
  groupsOf(member: number | RawBuilder<number>): RawBuilder<GroupOfMember>
  /** Builds the query for the members of these groups. The list `groups` must not be empty. */
  membersOf(groups: readonly number[]): RawBuilder<{ group_id: number; user_id: number }>
  /**
   * The tables, or kinds of changes, that decide which groups `groupsOf` returns. Changes of the names of
   * groups are not among them.
   */
  dependencies: readonly CacheDependency[]
}

export const noGroups: GroupQueries = {
  lockKeyOf: (group) => `group ${group}`,
  groupsOf: () => sql`select 0 as id, '' as name, 0 as is_owner, false as has_ended where 1 = 0`,
  membersOf: () => sql`select 0 as group_id, 0 as user_id where 1 = 0`,
  dependencies: [],
}

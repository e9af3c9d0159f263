import { sql } from 'kysely'
import { toSqlSubstringLikePattern } from '#core/database/database.ts'
import { foldCaseAndWidth, foldNameForSearch } from '#core/unicode.ts'
import { buildVisibleListedUsersQuery } from './read.ts'
import { buildAllFollowedIdsQuery } from './read-follows.ts'
import { buildVisibleMembersQuery, type MemberViewerContext, type ViewerContext } from './visibility.ts'

/** Returns the ids and handles of the members with these folded handles whom the viewer may see. */
export async function findIdHandlePairsOfVisibleMembers(viewer: ViewerContext, handles: readonly string[]) {
  if (!handles.length) return []
  return buildVisibleMembersQuery(viewer)
    .select(['users.id', 'users.handle'])
    .where('users.handle', 'in', [...new Set(handles)])
    .execute()
}

/**
 * Builds the query for the other members whom the viewer may see and whose name contains the text, or whose
 * handle begins with the text, with the columns of a `ListedUser`. An empty text matches all of them. Names
 * and handles that begin with the text come first, then the people in `preferred` in this order, then
 * people whom the viewer follows.
 */
export function buildMemberSearchByNameOrHandleQuery(
  viewer: MemberViewerContext,
  text: string,
  preferred: readonly number[] = [],
) {
  const name = toSqlSubstringLikePattern(foldNameForSearch(text))
  const handle = toSqlSubstringLikePattern(foldCaseAndWidth(text)).slice(1)
  return buildVisibleListedUsersQuery(viewer)
    .where('users.id', '!=', viewer.me.id)
    .$if(text !== '', (query) =>
      query.where(
        sql<boolean>`(name_key like ${name} escape '\\' or users.handle like ${handle} escape '\\')`,
      ),
    )
    .orderBy(
      sql`case when name_key like ${name.slice(1)} escape '\\' or users.handle like ${handle} escape '\\'
        then 0 else 1 end`,
    )
    .$if(preferred.length > 0, (query) => query.orderBy(buildPositionInListSql(preferred)))
    .orderBy(sql`case when users.id in ${buildAllFollowedIdsQuery(viewer)} then 0 else 1 end`)
    .orderBy('name_key')
    .orderBy('users.id')
}

/**
 * Builds the SQL expression for the position of `users.id` in the array, which must not be empty. Ids that
 * are not in the array come last.
 */
const buildPositionInListSql = (ids: readonly number[]) =>
  sql`case users.id ${sql.join(
    ids.map((id, index) => sql`when ${id} then ${sql.lit(index)}`),
    sql` `,
  )} else ${sql.lit(ids.length)} end`

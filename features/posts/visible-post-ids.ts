import { buildVisibleMembersQuery, type ViewerContext } from '#features/people/visibility.ts'
import { buildPostAudienceAndNotHiddenCondition } from './visible-posts.ts'

/** Returns those of these ids whose posts exist and are visible to the viewer. */
export async function filterVisiblePostIds(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return []
  const rows = await buildVisibleMembersQuery(viewer)
    .innerJoin('posts', 'posts.user_id', 'users.id')
    .select('posts.id')
    .where('posts.id', 'in', [...new Set(ids)])
    .where(buildPostAudienceAndNotHiddenCondition(viewer, 'posts'))
    .execute()
  return rows.map(({ id }) => id)
}

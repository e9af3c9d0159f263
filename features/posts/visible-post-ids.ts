import { buildVisibleMembersQuery, type ViewerContext } from '#features/people/visibility.ts'
import { buildPostAudienceAndNotHiddenCondition } from './visible-posts.ts'

/** Returns those of these post ids whose posts exist and the viewer may see. */
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

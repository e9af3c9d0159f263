import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PageParams } from '#core/schemas.ts'
import { parseTag } from '#features/people/text-parts-contract.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import { getFeeds } from '#features/posts/feeds.ts'

/** Posts that the viewer may see, newest first, without those of muted people. */
export function listTagged(
  context: AppContext,
  viewer: ViewerContext,
  { tag, ...page }: PageParams & { tag: string },
) {
  const ids = sql<{ post_id: number }>`select post_id from post_tags where tag = ${parseTag(tag) ?? ''}`
  return getFeeds(context).withIdsIn(viewer, page, ids)
}

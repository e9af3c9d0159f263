import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { parseTag } from '#features/people/text-parts-contract.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import { getPostListReadFunctions } from '#features/posts/feeds.ts'

/**
 * Returns one page of the posts with a tag that the viewer may see, newest first. Leaves out posts of
 * people whom the viewer has muted.
 */
export function listPostsWithTag(
  context: AppContext,
  viewer: ViewerContext,
  { tag, ...page }: PaginationParameters & { tag: string },
) {
  const ids = sql<{ post_id: number }>`select post_id from post_tags where tag = ${parseTag(tag) ?? ''}`
  return getPostListReadFunctions(context).withIdsIn(viewer, page, ids)
}

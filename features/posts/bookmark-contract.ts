import * as v from 'valibot'
import { createPaginationParameterFields, defineEndpoint, idInputSchema } from '#core/contract.ts'
import { postSchema } from './contract.ts'

const BookmarkResult = v.object({ bookmarked: v.boolean() })

/** The bookmarks of a member. Only the member sees them. */
export const bookmarkEndpoints = {
  /** Lists the posts that the member has bookmarked and may see, the newest bookmark first. */
  list: defineEndpoint(
    'GET /api/bookmarks',
    'member',
    v.object(createPaginationParameterFields(20, 100)),
    v.array(postSchema),
    { paginated: true },
  ),
  add: defineEndpoint('PUT /api/posts/:id/bookmark', 'member', idInputSchema, BookmarkResult, {
    errorStatuses: [404],
  }),
  /** Removes a bookmark. Also succeeds if the post is not bookmarked. */
  remove: defineEndpoint('DELETE /api/posts/:id/bookmark', 'member', idInputSchema, BookmarkResult),
}

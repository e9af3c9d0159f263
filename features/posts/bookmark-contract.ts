import * as v from 'valibot'
import { createPaginationParameterFields, defineEndpoint, idInputSchema } from '#core/contract.ts'
import { postSchema } from './contract.ts'

const BookmarkResult = v.object({ bookmarked: v.boolean() })

/**
 * The endpoints with which a member lists, adds and removes bookmarks of posts. Only the member sees them.
 */
export const bookmarkEndpoints = {
  /** Lists the bookmarked posts of the member that the member may see, the newest bookmark first. */
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
  /** Removes the member's bookmark of a post. Also succeeds if the member has not bookmarked the post. */
  remove: defineEndpoint('DELETE /api/posts/:id/bookmark', 'member', idInputSchema, BookmarkResult),
}

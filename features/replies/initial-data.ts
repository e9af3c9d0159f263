import type { Endpoint } from '#core/contract.ts'
import type { InlinedEndpointCall } from '#core/module.ts'
import { bookmarkEndpoints } from '#features/posts/bookmark-contract.ts'
import { type Post, postEndpoints } from '#features/posts/contract.ts'
import { postPinEndpoints } from '#features/posts/pin-contract.ts'
import { tagEndpoints } from '#features/tags/contract.ts'
import { latestReplyEndpoints, MAX_POSTS_PER_LATEST_REPLIES_REQUEST } from './latest-contract.ts'

/** The endpoints whose responses are lists of posts. */
const lists: readonly Endpoint[] = [
  postPinEndpoints.list,
  postEndpoints.list,
  postEndpoints.following,
  postEndpoints.byAuthor,
  bookmarkEndpoints.list,
  tagEndpoints.posts,
]

/**
 * Returns a list with the call for the newest replies to the posts in the initial data of an HTML page. The
 * list is empty if no post has replies. So the page shows these replies without another request.
 */
export function listInitialDataCallsForLatestReplies(
  answers: readonly { endpoint: Endpoint; body: unknown }[],
): InlinedEndpointCall[] {
  const ids = answers
    .filter(({ endpoint }) => lists.includes(endpoint))
    .flatMap(({ body }) => body as Post[])
    .flatMap(({ id, replies_count }) => (replies_count > 0 ? id : []))
  if (!ids.length) return []
  const posts = [...new Set(ids)].slice(0, MAX_POSTS_PER_LATEST_REPLIES_REQUEST).join()
  return [{ endpoint: latestReplyEndpoints.list, input: { posts } }]
}

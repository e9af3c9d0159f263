import type { Endpoint } from '#core/contract.ts'
import type { InlinedCall } from '#core/feature/module.ts'
import { bookmarkEndpoints, type Post, pinEndpoints, postEndpoints } from '#features/posts/contract.ts'
import { tagEndpoints } from '#features/tags/contract.ts'
import { latestEndpoints, MAX_LATEST_POSTS } from './contract.ts'

/** Their responses are lists of posts. */
const lists: readonly Endpoint[] = [
  pinEndpoints.list,
  postEndpoints.list,
  postEndpoints.following,
  postEndpoints.byAuthor,
  bookmarkEndpoints.list,
  tagEndpoints.posts,
]

/** Empty if no post has replies. The page shows the replies without another request. */
export function initialCalls(answers: readonly { endpoint: Endpoint; body: unknown }[]): InlinedCall[] {
  const ids = answers
    .filter(({ endpoint }) => lists.includes(endpoint))
    .flatMap(({ body }) => body as Post[])
    .flatMap(({ id, replies_count }) => (replies_count > 0 ? id : []))
  if (!ids.length) return []
  const posts = [...new Set(ids)].slice(0, MAX_LATEST_POSTS).join()
  return [{ endpoint: latestEndpoints.list, input: { posts } }]
}

import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { buildVisibleMembersQuery, type ViewerContext } from '#features/people/visibility.ts'
import { type PostForReplies, readPostsForRepliesWithoutCheck } from '#features/posts/replies-count.ts'
import { buildVisiblePostCondition } from '#features/posts/visible-posts.ts'

/** The data of a reply that the feature `reactions` needs. */
export interface ReplyForReactions {
  id: number
  author: number
  post: PostForReplies
}

/** Returns those of these ids whose replies exist, and whose authors and posts are visible to the viewer. */
export async function filterVisibleReplyIds(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return []
  const rows = await buildVisibleMembersQuery(viewer)
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .select('replies.id')
    .where('replies.id', 'in', [...new Set(ids)])
    .where(buildVisiblePostCondition(viewer, 'replies.post_id'))
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the replies with these ids that exist, in no particular order. Does not check who may see them. */
export async function readRepliesForReactionsWithoutCheck(
  context: AppContext,
  tx: Tx,
  ids: readonly number[],
): Promise<ReplyForReactions[]> {
  if (!ids.length) return []
  const rows = await tx
    .selectFrom('replies')
    .select(['id', 'user_id as author', 'post_id'])
    .where('id', 'in', ids)
    .execute()
  const posts = await readPostsForRepliesWithoutCheck(context, tx, [
    ...new Set(rows.map(({ post_id }) => post_id)),
  ])
  const postsById = new Map(posts.map((post) => [post.id, post]))
  return rows.map(({ id, author, post_id }) => ({ id, author, post: postsById.get(post_id)! }))
}

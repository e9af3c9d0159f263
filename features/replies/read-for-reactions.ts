import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as postAudiences from '#features/posts/audiences.ts'
import type { RepliedPost } from '#features/posts/replied-posts.ts'
import * as repliedPosts from '#features/posts/replied-posts.ts'

export interface ReactedReply {
  id: number
  author: number
  post: RepliedPost
}

/** Leaves out replies that do not exist, and whose authors or posts are not visible to the viewer. */
export async function visibleReplyIds(viewer: ViewerContext, ids: readonly number[]) {
  if (!ids.length) return []
  const rows = await visibility
    .members(viewer)
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .select('replies.id')
    .where('replies.id', 'in', [...new Set(ids)])
    .where(postAudiences.visible(viewer, 'replies.post_id'))
    .execute()
  return rows.map(({ id }) => id)
}

/** The replies that exist, in no particular order. Does not check who may see them. */
export async function readReplies(
  context: AppContext,
  tx: Tx,
  ids: readonly number[],
): Promise<ReactedReply[]> {
  if (!ids.length) return []
  const rows = await tx
    .selectFrom('replies')
    .select(['id', 'user_id as author', 'post_id'])
    .where('id', 'in', ids)
    .execute()
  const posts = await repliedPosts.list(context, tx, [...new Set(rows.map(({ post_id }) => post_id))])
  const postsById = new Map(posts.map((post) => [post.id, post]))
  return rows.map(({ id, author, post_id }) => ({ id, author, post: postsById.get(post_id)! }))
}

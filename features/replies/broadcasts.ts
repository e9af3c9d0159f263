import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { postChannelDefinitions } from '#features/posts/contract.ts'
import { type PostForReplies, readPostsForRepliesWithoutCheck } from '#features/posts/replies-count.ts'
import type { ReplyEventDataByName } from './contract.ts'

/**
 * The number of broadcasts after which the function waits for the next turn of the event loop, so that the
 * process can do other work.
 */
const BROADCAST_BATCH = 100

/**
 * Broadcasts an event of a reply to the viewers of its post. A viewer does not get the event if they may not
 * see the author of the post or one of the people in `aboutUsers`, or have muted one of these people or the
 * author of the post.
 */
export const broadcastReplyEvent = <E extends keyof ReplyEventDataByName>(
  { realtime }: Pick<AppContext, 'realtime'>,
  event: E,
  data: ReplyEventDataByName[E],
  { author, viewers }: PostForReplies,
  aboutUsers: readonly number[],
) =>
  realtime.broadcast([postChannelDefinitions.posts.name], event, data, {
    aboutUsers: [...new Set([author, ...aboutUsers])],
    unlessMuted: true,
    onlyFor: viewers,
  })

/**
 * Broadcasts the deletion of a reply to the viewers of its post who may see the author of the post.
 * Viewers who have muted the author of the reply or of the post, or may not see the author of the reply, also
 * get the event, because the number of replies changes for them too.
 */
export const broadcastDeletedReply = (
  { realtime }: Pick<AppContext, 'realtime'>,
  id: number,
  { id: post_id, author, viewers, replies_count }: PostForReplies,
) => {
  const data: ReplyEventDataByName['ReplyDeleted'] = { id, post_id, replies_count }
  realtime.broadcast([postChannelDefinitions.posts.name], 'ReplyDeleted', data, {
    aboutUsers: [author],
    onlyFor: viewers,
  })
}

/**
 * Broadcasts after the commit that these replies were deleted. `posts` are the posts of the replies, with
 * their new numbers of replies.
 */
export const broadcastDeletedRepliesAfterCommit = (
  context: AppContext,
  tx: Tx,
  replies: readonly { id: number; post_id: number }[],
  posts: readonly PostForReplies[],
) => {
  const postsById = new Map(posts.map((post) => [post.id, post]))
  tx.afterCommit(async () => {
    for (const [index, { id, post_id }] of replies.entries()) {
      const post = postsById.get(post_id)
      if (post) broadcastDeletedReply(context, id, post)
      if (index % BROADCAST_BATCH === 0) await nextTurn()
    }
  })
}

/** Broadcasts after the commit the new number of likes of each of these replies. */
export async function broadcastReplyLikesCountsAfterCommit(
  context: AppContext,
  tx: Tx,
  replies: readonly { id: number; post_id: number; author: number; likes_count: number }[],
) {
  const posts = await readPostsForRepliesWithoutCheck(context, tx, [
    ...new Set(replies.map(({ post_id }) => post_id)),
  ])
  const postsById = new Map(posts.map((post) => [post.id, post]))
  tx.afterCommit(async () => {
    for (const [index, { author, ...data }] of replies.entries()) {
      const post = postsById.get(data.post_id)
      if (post) broadcastReplyEvent(context, 'ReplyLiked', data, post, [author])
      if (index % BROADCAST_BATCH === 0) await nextTurn()
    }
  })
}

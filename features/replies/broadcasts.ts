import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { postChannels } from '#features/posts/contract.ts'
import type { RepliedPost } from '#features/posts/replied-posts.ts'
import * as repliedPosts from '#features/posts/replied-posts.ts'
import type { ReplyEvents } from './contract.ts'

/** After so many broadcasts, other work gets a turn of the event loop. */
const BROADCAST_BATCH = 100

/**
 * Viewers do not get the event if they may not see the author of the post or one of `aboutUsers`, or have
 * muted one of these people.
 */
export const send = <E extends keyof ReplyEvents>(
  { realtime }: Pick<AppContext, 'realtime'>,
  event: E,
  data: ReplyEvents[E],
  { author, viewers }: RepliedPost,
  aboutUsers: readonly number[],
) =>
  realtime.broadcast([postChannels.posts.name], event, data, {
    aboutUsers: [...new Set([author, ...aboutUsers])],
    unlessMuted: true,
    onlyFor: viewers,
  })

/**
 * Viewers who have muted the author of the reply or of the post, or may not see the author of the reply, also
 * get the event, because the number of replies changes for them too.
 */
export const removed = (
  { realtime }: Pick<AppContext, 'realtime'>,
  id: number,
  { id: post_id, author, viewers, replies_count }: RepliedPost,
) => {
  const data: ReplyEvents['ReplyDeleted'] = { id, post_id, replies_count }
  realtime.broadcast([postChannels.posts.name], 'ReplyDeleted', data, {
    aboutUsers: [author],
    onlyFor: viewers,
  })
}

/** `posts` have their new numbers of replies. */
export const allRemoved = (
  context: AppContext,
  tx: Tx,
  replies: readonly { id: number; post_id: number }[],
  posts: readonly RepliedPost[],
) => {
  const postsById = new Map(posts.map((post) => [post.id, post]))
  tx.afterCommit(async () => {
    for (const [index, { id, post_id }] of replies.entries()) {
      const post = postsById.get(post_id)
      if (post) removed(context, id, post)
      if (index % BROADCAST_BATCH === 0) await nextTurn()
    }
  })
}

export async function likes(
  context: AppContext,
  tx: Tx,
  replies: readonly { id: number; post_id: number; author: number; likes_count: number }[],
) {
  const posts = await repliedPosts.list(context, tx, [...new Set(replies.map(({ post_id }) => post_id))])
  const postsById = new Map(posts.map((post) => [post.id, post]))
  tx.afterCommit(async () => {
    for (const [index, { author, ...data }] of replies.entries()) {
      const post = postsById.get(data.post_id)
      if (post) send(context, 'ReplyLiked', data, post, [author])
      if (index % BROADCAST_BATCH === 0) await nextTurn()
    }
  })
}

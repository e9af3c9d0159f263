import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { lockMembers } from '#features/people/blocks.ts'
import type { RepliedPost } from '#features/posts/replied-posts.ts'
import * as repliedPosts from '#features/posts/replied-posts.ts'
import * as broadcasts from './broadcasts.ts'
import * as model from './model.ts'
import * as read from './read.ts'

export interface LikeChange {
  liked: boolean
  likes_count: number
  author: number
  post: RepliedPost
}

/** 404 if the member may not see the reply. */
export const likeReply = (context: MemberContext, id: number): Promise<LikeChange> =>
  transaction(context.db, async (tx) => {
    const { me } = context
    await lockMembers(tx, [me.id])
    const { post, author } = await lockVisibleReply(context, tx, id)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('reply_likes')
      .values({ reply_id: id, user_id: me.id, created_at: isoNow() })
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    const likes_count = await addToReplyLikesCount(tx, id, Number(numInsertedOrUpdatedRows))
    return { liked: true, likes_count, author, post }
  })

/**
 * Works even if the member may no longer see the reply. If `isVisible` is false, the caller must not tell
 * whether there was a like. 404 if the member neither sees nor likes the reply.
 */
export const unlikeReply = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const viewer = { ...context, db: tx }
    const isVisible = (await read.findPost(viewer, id)) !== undefined
    if (!isVisible && !(await read.hasLiked(viewer, id))) throw read.notFound()
    const { post, author } = await lockReply(context, tx, id)
    const { numDeletedRows } = await tx
      .deleteFrom('reply_likes')
      .where('reply_id', '=', id)
      .where('user_id', '=', me.id)
      .executeTakeFirstOrThrow()
    const likes_count = await addToReplyLikesCount(tx, id, -Number(numDeletedRows))
    return { isVisible, likes: { liked: false, likes_count, author, post } satisfies LikeChange }
  })

/**
 * Checks after the locks: another transaction may have hidden or deleted the post before. 404 if not visible.
 */
async function lockVisibleReply(context: MemberContext, tx: Tx, id: number) {
  const locked = await lockReply(context, tx, id)
  const isVisible = (await read.findPost({ ...context, db: tx }, id)) !== undefined
  if (!isVisible) throw read.notFound()
  return locked
}

/** Locks the reply and its post until the commit. 404 if there is no such reply. */
export async function lockReply(context: AppContext, tx: Tx, id: number) {
  const found = await tx.selectFrom('replies').select('post_id').where('id', '=', id).executeTakeFirst()
  if (!found) throw read.notFound()
  const post = await repliedPosts.lock(context, tx, found.post_id)
  const { user_id: author } = await model.lockRow(tx, id)
  return { post, author }
}

async function addToReplyLikesCount(tx: Tx, id: number, change: number) {
  const { likes_count } = await tx
    .updateTable('replies')
    .set(({ eb }) => ({ likes_count: eb('likes_count', '+', change) }))
    .where('id', '=', id)
    .returning('likes_count')
    .executeTakeFirstOrThrow()
  return likes_count
}

/** Replies that one SQL statement changes. */
const COUNT_BATCH = 1000

/**
 * With `author`, only the likes of replies of that author. Lowers a number only if this transaction has
 * deleted a like of the reply. Broadcasts after the commit.
 */
export async function deleteLikes(context: AppContext, tx: Tx, user: number, author?: number) {
  const ofAuthor =
    author === undefined ? sql`` : sql`and reply_id in (select id from replies where user_id = ${author})`
  const { rows: deleted } = await sql<{ reply_id: number }>`delete from reply_likes
    where user_id = ${user} ${ofAuthor} returning reply_id`.execute(tx)
  const unliked: { id: number; post_id: number; author: number; likes_count: number }[] = []
  for (let first = 0; first < deleted.length; first += COUNT_BATCH)
    unliked.push(
      ...(await tx
        .updateTable('replies')
        .set(({ eb }) => ({ likes_count: eb('likes_count', '-', 1) }))
        .where(
          'id',
          'in',
          deleted.slice(first, first + COUNT_BATCH).map(({ reply_id }) => reply_id),
        )
        .returning(['id', 'post_id', 'user_id as author', 'likes_count'])
        .execute()),
    )
  await broadcasts.likes(context, tx, unliked)
}

/** Belongs to the transaction of the block. */
export async function deleteMutualLikes(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: { blocker_id: number; blocked_id: number },
) {
  await deleteLikes(context, tx, blocker_id, blocked_id)
  await deleteLikes(context, tx, blocked_id, blocker_id)
}

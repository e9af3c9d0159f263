import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { lockMemberRowsShared } from '#features/people/blocks.ts'
import { lockPostForRepliesWithoutCheck, type PostForReplies } from '#features/posts/replies-count.ts'
import { broadcastReplyLikesCountsAfterCommit } from './broadcasts.ts'
import { lockReplyAndReadAuthorAndText } from './model.ts'
import { createNoSuchReplyError, findPostIdOfVisibleReply, hasLikedReply } from './read.ts'

/**
 * The like state of a reply after a member has changed it: whether the member likes the reply, and its
 * number of likes.
 */
export interface ReplyLikeChangeResult {
  liked: boolean
  likes_count: number
  /** The id of the reply's author. */
  author: number
  post: PostForReplies
}

/**
 * Adds the member's like to a reply, and returns the new like state. Throws 404 if the member may not see the
 * reply.
 */
export const likeReply = (context: MemberContext, id: number): Promise<ReplyLikeChangeResult> =>
  transaction(context.db, async (tx) => {
    const { me } = context
    await lockMemberRowsShared(tx, [me.id])
    const { post, author } = await lockVisibleReply(context, tx, id)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('reply_likes')
      .values({ reply_id: id, user_id: me.id, created_at: currentIsoTime() })
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    const likes_count = await addToReplyLikesCount(tx, id, Number(numInsertedOrUpdatedRows))
    return { liked: true, likes_count, author, post }
  })

/**
 * Removes the member's like of a reply, even if the member may no longer see the reply. The result
 * `isVisible` is false if the member may not see the reply; the caller must then not tell whether there was a
 * like. Throws 404 if the member neither sees nor likes the reply.
 */
export const unlikeReply = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const viewer = { ...context, db: tx }
    const isVisible = (await findPostIdOfVisibleReply(viewer, id)) !== undefined
    if (!isVisible && !(await hasLikedReply(viewer, id))) throw createNoSuchReplyError()
    const { post, author } = await lockReplyWithPostAndReadPostAndAuthor(context, tx, id)
    const { numDeletedRows } = await tx
      .deleteFrom('reply_likes')
      .where('reply_id', '=', id)
      .where('user_id', '=', me.id)
      .executeTakeFirstOrThrow()
    const likes_count = await addToReplyLikesCount(tx, id, -Number(numDeletedRows))
    return { isVisible, likes: { liked: false, likes_count, author, post } satisfies ReplyLikeChangeResult }
  })

/**
 * Locks a reply and its post until the commit, and then checks whether the member may see the reply; throws
 * 404 if not. The check comes after the locks, because another transaction may have hidden or deleted the
 * post before. Returns the post and the id of the author of the reply.
 */
async function lockVisibleReply(context: MemberContext, tx: Tx, id: number) {
  const locked = await lockReplyWithPostAndReadPostAndAuthor(context, tx, id)
  const isVisible = (await findPostIdOfVisibleReply({ ...context, db: tx }, id)) !== undefined
  if (!isVisible) throw createNoSuchReplyError()
  return locked
}

/**
 * Locks a reply and its post until the commit, and returns the post and the id of the author of the reply.
 * Throws 404 if there is no such reply.
 */
export async function lockReplyWithPostAndReadPostAndAuthor(context: AppContext, tx: Tx, id: number) {
  const found = await tx.selectFrom('replies').select('post_id').where('id', '=', id).executeTakeFirst()
  if (!found) throw createNoSuchReplyError()
  const post = await lockPostForRepliesWithoutCheck(context, tx, found.post_id)
  const { user_id: author } = await lockReplyAndReadAuthorAndText(tx, id)
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

/** The maximum number of replies whose numbers of likes one SQL statement changes. */
const COUNT_BATCH = 1000

/**
 * Deletes the likes that the member `user` gave to replies; with `author`, only the likes of replies of that
 * author. Lowers the number of likes of a reply only if this transaction has deleted a like of it. Broadcasts
 * the new numbers after the commit.
 */
export async function deleteReplyLikesOfMemberAndUpdateCounts(
  context: AppContext,
  tx: Tx,
  user: number,
  author?: number,
) {
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
  await broadcastReplyLikesCountsAfterCommit(context, tx, unliked)
}

/**
 * Deletes the likes that the two people of a block gave to replies of each other, in the transaction of the
 * block.
 */
export async function deleteMutualReplyLikes(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: { blocker_id: number; blocked_id: number },
) {
  await deleteReplyLikesOfMemberAndUpdateCounts(context, tx, blocker_id, blocked_id)
  await deleteReplyLikesOfMemberAndUpdateCounts(context, tx, blocked_id, blocker_id)
}

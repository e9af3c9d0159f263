import type { AppContext } from '#core/context.ts'
import type { Db, QueryCacheDependency, Tx } from '#core/database/database.ts'
import { markMediaUnreferenced, setMediaGuardOfPictures } from '#core/media/lifecycle.ts'
import { addToRepliesCountsOfPosts } from '#features/posts/replies-count.ts'
import { broadcastDeletedRepliesAfterCommit } from './broadcasts.ts'
import { deleteReplyLikesOfMemberAndUpdateCounts } from './likes.ts'
import { REPLY_IMAGE_ACCESS_GUARD_NAME } from './tables.ts'

// These functions delete the replies to a deleted post and the replies of a deleted member, and change who
// may see the pictures of replies when a post is hidden or shown again. The listeners in module.ts call them
// in the transaction that deletes or changes the post or the member.

type ReplyColumn = 'post_id' | 'post_user_id' | 'user_id'

/**
 * Deletes the replies whose column `column` has this value, and marks their pictures as unreferenced. Deletes
 * the files of the pictures after the commit. Returns the ids of the deleted replies and of their posts.
 */
async function deleteRepliesWith(context: AppContext, tx: Tx, column: ReplyColumn, value: number) {
  const images = await tx
    .selectFrom('reply_images')
    .innerJoin('replies', 'replies.id', 'reply_images.reply_id')
    .select('reply_images.media')
    .where(`replies.${column}`, '=', value)
    .execute()
  const deleted = await tx
    .deleteFrom('replies')
    .where(column, '=', value)
    .returning(['id', 'post_id'])
    .execute()
  const pictures = images.map(({ media }) => media)
  await markMediaUnreferenced(tx, pictures)
  if (pictures.length) tx.afterCommit(() => context.media.deleteUnreferenced(pictures))
  return deleted
}

/**
 * The SQL statements that change existing replies. Caches of later features are emptied after such a
 * statement.
 */
export const replyUpdateAndDeleteCacheDependencies = [
  'update replies',
  'delete from replies',
] as const satisfies readonly QueryCacheDependency[]

/** Deletes all replies to a deleted post. */
export const deleteRepliesToPost = (context: AppContext, tx: Tx, post: number) =>
  deleteRepliesWith(context, tx, 'post_id', post)

/**
 * Deletes the replies of a member, the replies to the member's posts, and the likes that the member gave to
 * replies, in the transaction that deletes the account. After the commit, broadcasts the deleted replies of
 * the member and the new numbers of likes to the viewers of the posts.
 */
export async function deleteRepliesByAndToDeletedMember(context: AppContext, tx: Tx, member: number) {
  await deleteRepliesWith(context, tx, 'post_user_id', member)
  const deleted = await deleteRepliesWith(context, tx, 'user_id', member)
  const byPost = Map.groupBy(deleted, ({ post_id }) => post_id)
  const changes = new Map([...byPost].map(([post, replies]) => [post, -replies.length]))
  const posts = await addToRepliesCountsOfPosts(context, tx, changes)
  broadcastDeletedRepliesAfterCommit(context, tx, deleted, posts)
  await deleteReplyLikesOfMemberAndUpdateCounts(context, tx, member)
}

/**
 * Changes who may see the pictures in the replies to a post: everybody if `isPublic` is true, otherwise only
 * people who may see the post and the author of the reply.
 */
export async function setPictureAccessOfRepliesToPost(tx: Tx, post: number, isPublic: boolean) {
  const pictures = await tx
    .selectFrom('reply_images')
    .innerJoin('replies', 'replies.id', 'reply_images.reply_id')
    .select('reply_images.media')
    .where('replies.post_id', '=', post)
    .execute()
  await setMediaGuardOfPictures(
    tx,
    pictures.map(({ media }) => media),
    isPublic ? null : REPLY_IMAGE_ACCESS_GUARD_NAME,
  )
}

/** Returns the number of replies that a member wrote. */
export async function countRepliesOfMemberAsNamedCount(db: Db, member: number) {
  const { count } = await db
    .selectFrom('replies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', member)
    .executeTakeFirstOrThrow()
  return { replies: Number(count) }
}

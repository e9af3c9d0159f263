import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import * as repliedPosts from '#features/posts/replied-posts.ts'
import * as broadcasts from './broadcasts.ts'
import { deleteLikes } from './likes.ts'
import { REPLY_IMAGE_GUARD } from './tables.ts'

// The listeners in module.ts call these functions in the transaction that deletes or changes the post or
// member.

type ReplyColumn = 'post_id' | 'post_user_id' | 'user_id'

/**
 * Deletes the files of the pictures after the commit. Returns the ids of the deleted replies and their posts.
 */
async function deleteRepliesWith(context: AppContext, tx: Tx, column: ReplyColumn, value: number) {
  const images = await tx
    .selectFrom('reply_attachments')
    .innerJoin('replies', 'replies.id', 'reply_attachments.reply_id')
    .select('reply_attachments.media')
    .where(`replies.${column}`, '=', value)
    .execute()
  const deleted = await tx
    .deleteFrom('replies')
    .where(column, '=', value)
    .returning(['id', 'post_id'])
    .execute()
  const pictures = images.map(({ media }) => media)
  await lifecycle.detach(tx, pictures)
  if (pictures.length) tx.afterCommit(() => context.media.deleteUnreferenced(pictures))
  return deleted
}

export const deleteOfPost = (context: AppContext, tx: Tx, post: number) =>
  deleteRepliesWith(context, tx, 'post_id', post)

/** The replies by and to the member, and the member's likes of replies. Broadcasts after the commit. */
export async function deleteOfMember(context: AppContext, tx: Tx, member: number) {
  await deleteRepliesWith(context, tx, 'post_user_id', member)
  const deleted = await deleteRepliesWith(context, tx, 'user_id', member)
  const byPost = Map.groupBy(deleted, ({ post_id }) => post_id)
  const changes = new Map([...byPost].map(([post, replies]) => [post, -replies.length]))
  const posts = await repliedPosts.addReplies(context, tx, changes)
  broadcasts.allRemoved(context, tx, deleted, posts)
  await deleteLikes(context, tx, member)
}

/**
 * Unless `isPublic` is true, only people who may see the post and the author of the reply see its pictures.
 */
export async function setPictureAccess(tx: Tx, post: number, isPublic: boolean) {
  const pictures = await tx
    .selectFrom('reply_attachments')
    .innerJoin('replies', 'replies.id', 'reply_attachments.reply_id')
    .select('reply_attachments.media')
    .where('replies.post_id', '=', post)
    .where('reply_attachments.file', 'is', null)
    .execute()
  await lifecycle.setGuard(
    tx,
    pictures.map(({ media }) => media),
    isPublic ? null : REPLY_IMAGE_GUARD,
  )
}

export async function countReplies(db: Db, member: number) {
  const { count } = await db
    .selectFrom('replies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', member)
    .executeTakeFirstOrThrow()
  return { replies: Number(count) }
}

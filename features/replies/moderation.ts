import type { MemberContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { readImagesByPostReplyOrMessageId } from '#features/posts/read-images.ts'
import { lockPostForRepliesWithoutCheck } from '#features/posts/replies-count.ts'
import { broadcastDeletedReply } from './broadcasts.ts'
import { deleteReplyRowAndDetachPictures, lockReplyAndReadAuthorAndText } from './model.ts'
import { createNoSuchReplyError } from './read.ts'

// With these functions, moderators read and delete replies. The feature `moderation`, which calls them,
// checks the moderator's right and records the reason.

/** Returns the id of the reply that contains the picture with this name; undefined if there is none. */
export async function findReplyIdOfPicture(db: Db, picture: string) {
  const query = db.selectFrom('reply_images').select('reply_id').where('media', '=', picture)
  return (await query.executeTakeFirst())?.reply_id
}

/** Returns the pictures of a reply for moderators, whoever may see its post. */
export const readReplyImagesForModerators = async (context: MemberContext, id: number) =>
  (await readImagesByPostReplyOrMessageId(context, 'reply_images', 'reply_id', [id])).get(id) ?? []

/** Returns the ids of the posts of these replies for moderators, as a Map by the id of the reply. */
export async function readPostIdsByReplyIdForModerators({ db }: MemberContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, number>()
  const rows = await db.selectFrom('replies').select(['id', 'post_id']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, post_id }) => [id, post_id]))
}

/**
 * Deletes a reply for a moderator, and the files of its pictures after the commit. Throws 404 if there is no
 * such reply.
 */
export async function deleteReplyAsModerator(context: MemberContext, tx: Tx, id: number) {
  const found = await tx.selectFrom('replies').select('post_id').where('id', '=', id).executeTakeFirst()
  if (!found) throw createNoSuchReplyError()
  await lockPostForRepliesWithoutCheck(context, tx, found.post_id)
  const { user_id } = await lockReplyAndReadAuthorAndText(tx, id)
  const reply = { id, user_id, post_id: found.post_id }
  const { pictures, post } = await deleteReplyRowAndDetachPictures(context, tx, reply)
  tx.afterCommit(() => {
    broadcastDeletedReply(context, id, post)
    return context.media.deleteUnreferenced(pictures)
  })
}

import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { setMediaGuardOfPictures } from '#core/media/lifecycle.ts'
import { postChannelDefinitions } from './contract.ts'
import { deletePostRowAndDetachPictures } from './model.ts'
import { unpinHiddenPost } from './pins.ts'
import { lockPostForChangeAndReadAuthorAndAudience } from './post-locks.ts'
import { readImagesByPostReplyOrMessageId } from './read-images.ts'
import { POST_IMAGE_ACCESS_GUARD_NAME } from './tables.ts'
import { type PostAuthorAndAudience, readPostEventViewers } from './visible-posts.ts'

// With these functions, moderators read, hide, show again and delete posts. The feature `moderation`, which
// calls them, checks the moderator's right and records the reason.

/** Returns the id of the post that contains the picture with this name; undefined if there is none. */
export async function findPostIdOfPicture(db: Db, picture: string) {
  const query = db.selectFrom('post_images').select('post_id').where('media', '=', picture)
  return (await query.executeTakeFirst())?.post_id
}

/** Returns the pictures of a post for moderators, whoever may see the post. */
export const readPostImagesForModerators = async (context: MemberContext, id: number) =>
  (await readImagesByPostReplyOrMessageId(context, 'post_images', 'post_id', [id])).get(id) ?? []

/**
 * Hides a post and its pictures from all people but its author, and unpins the post. Throws 404 if there is
 * no such post.
 */
export async function hidePostAsModerator(context: MemberContext, tx: Tx, id: number) {
  const post = await lockPostForChangeAndReadAuthorAndAudience(tx, id)
  await tx
    .insertInto('hidden_posts')
    .values({ post_id: id, created_at: currentIsoTime() })
    .onConflict((c) => c.doNothing())
    .execute()
  await unpinHiddenPost(tx, id)
  await changeGuardOfPictures(tx, id, POST_IMAGE_ACCESS_GUARD_NAME)
  await context.emit(tx, 'post.hidden', { id })
  await broadcastRemoval(context, tx, id, post)
}

/**
 * Shows a hidden post again. Throws 404 if there is no such post. Pages that are open show the post only
 * after they are loaded again.
 */
export async function unhidePostAsModerator(context: MemberContext, tx: Tx, id: number) {
  const { audience } = await lockPostForChangeAndReadAuthorAndAudience(tx, id)
  await tx.deleteFrom('hidden_posts').where('post_id', '=', id).execute()
  const is_public = audience === 'everyone'
  if (is_public) await changeGuardOfPictures(tx, id, null)
  await context.emit(tx, 'post.restored', { id, is_public })
}

/**
 * Deletes a post for a moderator, and the files of its pictures after the commit. Throws 404 if there is no
 * such post.
 */
export async function deletePostAsModerator(context: MemberContext, tx: Tx, id: number) {
  const post = await lockPostForChangeAndReadAuthorAndAudience(tx, id)
  const pictures = await deletePostRowAndDetachPictures(tx, id)
  await context.emit(tx, 'post.deleted', {
    id,
    user_id: post.author,
    actor_id: context.me.id,
    by_moderator: true,
  })
  await broadcastRemoval(context, tx, id, post)
  tx.afterCommit(() => context.media.deleteUnreferenced(pictures))
}

/**
 * Changes who may see the pictures of a post: only people who may see the post if `guard` is its name, and
 * everybody if it is null.
 */
async function changeGuardOfPictures(
  tx: Tx,
  post: number,
  guard: typeof POST_IMAGE_ACCESS_GUARD_NAME | null,
) {
  const pictures = await tx.selectFrom('post_images').select('media').where('post_id', '=', post).execute()
  await setMediaGuardOfPictures(
    tx,
    pictures.map(({ media }) => media),
    guard,
  )
}

/**
 * Broadcasts after the commit that the post is deleted, which removes it from all open pages, also
 * from those of its author. The author sees a hidden post again when the page is loaded again.
 */
async function broadcastRemoval(context: MemberContext, tx: Tx, id: number, post: PostAuthorAndAudience) {
  const onlyFor = await readPostEventViewers({ ...context, db: tx }, post)
  tx.afterCommit(() =>
    context.realtime.broadcast(
      [postChannelDefinitions.posts.name],
      'PostDeleted',
      { id },
      { aboutUsers: [], onlyFor },
    ),
  )
}

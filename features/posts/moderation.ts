import type { MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import * as attachments from './attachments.ts'
import type { AuthorAudience } from './audiences.ts'
import * as audiences from './audiences.ts'
import { postChannels } from './contract.ts'
import * as model from './model.ts'
import { unpinHidden } from './pins.ts'
import { lockPostToChange } from './post-locks.ts'
import { POST_IMAGE_GUARD, postPlace } from './tables.ts'

// The feature `moderation`, which calls these functions, checks the right and records the reason.

export async function findByMedia(db: Db, name: string) {
  const query = db.selectFrom('post_attachments').select('post_id').where('media', '=', name)
  return (await query.executeTakeFirst())?.post_id
}

export const getAttachments = async (context: MemberContext, id: number) =>
  (await attachments.read(context, postPlace, [id]))(id)

/** Hides it from all but its author, and unpins it. 404 if there is no such post. */
export async function hide(context: MemberContext, tx: Tx, id: number) {
  const post = await lockPostToChange(tx, id)
  await tx
    .insertInto('hidden_posts')
    .values({ post_id: id, created_at: isoNow() })
    .onConflict((c) => c.doNothing())
    .execute()
  await unpinHidden(tx, id)
  await changeGuardOfPictures(tx, id, POST_IMAGE_GUARD)
  await context.emit(tx, 'post.hidden', { id })
  await broadcastRemoval(context, tx, id, post)
}

/** 404 if there is no such post. Open pages show the post only after they are loaded again. */
export async function unhide(context: MemberContext, tx: Tx, id: number) {
  const { audience } = await lockPostToChange(tx, id)
  await tx.deleteFrom('hidden_posts').where('post_id', '=', id).execute()
  const is_public = audience === 'everyone'
  if (is_public) await changeGuardOfPictures(tx, id, null)
  await context.emit(tx, 'post.restored', { id, is_public })
}

/** Deletes the files of the pictures after the commit. 404 if there is no such post. */
export async function remove(context: MemberContext, tx: Tx, id: number) {
  const post = await lockPostToChange(tx, id)
  const pictures = await model.deleteRow(tx, id)
  await context.emit(tx, 'post.deleted', {
    id,
    user_id: post.author,
    actor_id: context.me.id,
    by_moderator: true,
  })
  await broadcastRemoval(context, tx, id, post)
  tx.afterCommit(() => context.media.deleteUnreferenced(pictures))
}

/** The pictures are for everybody if `guard` is null. Files keep their guard. */
async function changeGuardOfPictures(tx: Tx, post: number, guard: typeof POST_IMAGE_GUARD | null) {
  const pictures = await tx
    .selectFrom('post_attachments')
    .select('media')
    .where('post_id', '=', post)
    .where('file', 'is', null)
    .execute()
  await lifecycle.setGuard(
    tx,
    pictures.map(({ media }) => media),
    guard,
  )
}

/** Removes the post from all open pages, also its author's, who sees a hidden post again after a reload. */
async function broadcastRemoval(context: MemberContext, tx: Tx, id: number, post: AuthorAudience) {
  const onlyFor = await audiences.viewers({ ...context, db: tx }, post)
  tx.afterCommit(() =>
    context.realtime.broadcast([postChannels.posts.name], 'PostDeleted', { id }, { aboutUsers: [], onlyFor }),
  )
}

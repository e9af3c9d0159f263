import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { markMediaUnreferenced, markPictureAttached } from '#core/media/lifecycle.ts'
import { requireMemberWithinStorageQuota } from '#core/media/storage-quota.ts'
import { lockMemberRowsShared } from '#features/people/blocks.ts'
import { countAndLimitNewMemberAction } from '#features/people/new-members.ts'
import { isAdmin } from '#features/people/read.ts'
import {
  requireRecentIdentityConfirmation,
  type SessionContext,
} from '#features/people/session-confirmation.ts'
import { buildVisibleMembersQuery } from '#features/people/visibility.ts'
import { requireAllowedPictureCount, requirePostOrReplyNotTooLong } from '#features/posts/limits.ts'
import { createNoSuchPostError, isVisiblePost } from '#features/posts/read.ts'
import {
  addToRepliesCountsOfPosts,
  lockPostForRepliesWithoutCheck,
  type PostForReplies,
} from '#features/posts/replies-count.ts'
import { createNoSuchReplyError, findPostIdOfVisibleReply } from './read.ts'
import { REPLY_IMAGE_ACCESS_GUARD_NAME } from './tables.ts'

export interface NewReply {
  post: number
  body: string | null
  pictures: readonly PictureMetadata[]
  /** The descriptions of the reply's pictures, in the order of the pictures. */
  descriptions: readonly (string | null)[]
  client_id?: string | null
  /**
   * The id of the reply that the new reply answers, which must be a reply to the same post; undefined if the
   * new reply answers the post itself.
   */
  answers_id?: number | undefined
}

/**
 * Stores a reply with its images. Returns the id of the reply, and its post with the new number of replies.
 * If the author has used the same `client_id` before, stores nothing, and returns the id of the earlier reply
 * and its post. Throws 404 if the member may not see the post, 422 beyond the limits of the settings or for
 * an invalid `answers_id`, and 429 beyond the limits for new members.
 */
export const createReply = (
  context: MemberContext,
  { client_id = null, ...given }: NewReply,
  created_at = currentIsoTime(),
): Promise<{ id: number; post: PostForReplies }> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    await lockMemberRowsShared(tx, [me.id])
    const earlier = await findReplyByClientId(tx, me.id, client_id)
    const post = await lockPostForRepliesWithoutCheck(context, tx, earlier?.post_id ?? given.post)
    if (earlier) return { id: earlier.id, post }
    if (!(await isVisiblePost({ ...context, db: tx }, post.id))) throw createNoSuchPostError()
    const mentioned_id = await findAuthorOfAnsweredReply(context, tx, post.id, given.answers_id)
    const created = await tx
      .insertInto('replies')
      .values({
        post_id: post.id,
        post_user_id: post.author,
        user_id: me.id,
        mentioned_id,
        client_id,
        body: given.body,
        created_at,
        edited_at: null,
      })
      .onConflict((c) => c.columns(['user_id', 'client_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    // `created` is undefined if another transaction has just stored a reply with the same `client_id`,
    // because the same request came twice.
    if (!created) return { id: (await findReplyByClientId(tx, me.id, client_id))!.id, post }
    const { id } = created
    await attachReplyPictures(context, tx, id, post, given)
    const [counted] = await addToRepliesCountsOfPosts(context, tx, new Map([[post.id, 1]]))
    const event = { id, post_id: post.id, user_id: me.id, post_user_id: post.author, mentioned_id }
    await emit(tx, 'reply.created', event)
    return { id, post: counted! }
  })

/** Checks a new reply against the limits of the community and of new members, and then stores its images. */
async function attachReplyPictures(
  context: MemberContext,
  tx: Tx,
  reply_id: number,
  post: PostForReplies,
  { body, pictures, descriptions }: Omit<NewReply, 'client_id'>,
) {
  requirePostOrReplyNotTooLong(context, body, 'text')
  requireAllowedPictureCount(context, pictures.length)
  await countAndLimitNewMemberAction(context, tx, 'reply')
  await countAndLimitNewMemberAction(context, tx, 'picture', pictures.length)
  for (const [position, picture] of pictures.entries()) {
    await markPictureAttached(
      tx,
      picture,
      context.me.id,
      post.is_public ? null : REPLY_IMAGE_ACCESS_GUARD_NAME,
    )
    const image = { reply_id, position, media: picture.name, alt: descriptions[position] ?? null }
    await tx.insertInto('reply_images').values(image).execute()
  }
  if (pictures.length) await requireMemberWithinStorageQuota(context, tx, context.me.id, 'images')
}

async function findReplyByClientId(tx: Tx, author: number, client_id: string | null) {
  if (client_id === null) return undefined
  return tx
    .selectFrom('replies')
    .select(['id', 'post_id'])
    .where('user_id', '=', author)
    .where('client_id', '=', client_id)
    .executeTakeFirst()
}

/**
 * Returns the id of the author of the reply that a new reply answers; null if the new reply answers the post
 * itself or a reply of the same member. Throws 422 if `answers_id` is not the id of a reply to this post, or
 * if the member may not see the author of that reply.
 */
async function findAuthorOfAnsweredReply(
  context: MemberContext,
  tx: Tx,
  post: number,
  answers_id: number | undefined,
) {
  if (answers_id === undefined) return null
  const found = await buildVisibleMembersQuery({ ...context, db: tx })
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .select('users.id')
    .where('replies.id', '=', answers_id)
    .where('replies.post_id', '=', post)
    .executeTakeFirst()
  if (!found)
    throw createInvalidFieldError('answers_id', {
      en: 'The reply that you answer was deleted.',
      ja: '返信先の返信は削除されました。',
    })
  return found.id === context.me.id ? null : found.id
}

const createEmptyReplyError = () =>
  createInvalidFieldError('text', {
    en: 'Write something or add a picture.',
    ja: '文章を入力するか、画像を追加してください。',
  })

/** Throws 422 if a reply has neither a text nor a picture. `pictures` is its number of pictures. */
export function requireReplyContent(body: string | null, pictures: number) {
  if (!body && !pictures) throw createEmptyReplyError()
}

/**
 * Changes the text of the member's own reply, and returns the post of the reply. Throws 404 if the member may
 * not see the reply, and 403 if another member wrote it. Throws 422 if the new text is too long, or if it is
 * empty and the reply has no picture.
 */
export const editOwnReply = (context: MemberContext, id: number, body: string | null) =>
  transaction(context.db, async (tx) => {
    const post_id = await findPostIdOfVisibleReply({ ...context, db: tx }, id)
    if (post_id === undefined) throw createNoSuchReplyError()
    const post = await lockPostForRepliesWithoutCheck(context, tx, post_id)
    const reply = await lockReplyAndReadAuthorAndText(tx, id)
    if (reply.user_id !== context.me.id) throw createNotAuthorError()
    requirePostOrReplyNotTooLong(context, body, 'text')
    const images = await tx.selectFrom('reply_images').select('id').where('reply_id', '=', id).execute()
    requireReplyContent(body, images.length)
    if (reply.body !== body) {
      await tx
        .updateTable('replies')
        .set({ body, edited_at: currentIsoTime() })
        .where('id', '=', id)
        .execute()
      await context.emit(tx, 'reply.edited', { id, user_id: context.me.id, post_id })
    }
    return { post }
  })

/**
 * Deletes a reply for its author or for an admin. The author may delete it even if they no longer see the
 * post. Throws 403 for other members, 404 for them and for admins if they may not see the reply, and 423 for
 * admins without a recent confirmation. Returns
 * the post with its new number of replies, and the names of the reply's pictures, so that the caller can
 * delete their files.
 */
export const deleteReplyAsAuthorOrAdmin = (context: SessionContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me, session } = context
    const found = await tx.selectFrom('replies').select('post_id').where('id', '=', id).executeTakeFirst()
    if (!found) throw createNoSuchReplyError()
    await lockPostForRepliesWithoutCheck(context, tx, found.post_id)
    const { user_id } = await lockReplyAndReadAuthorAndText(tx, id)
    if (user_id !== me.id) {
      const viewer = { ...context, db: tx }
      if ((await findPostIdOfVisibleReply(viewer, id)) === undefined) throw createNoSuchReplyError()
      if (!(me.is_admin && (await isAdmin(tx, me.id)))) throw createNotAuthorError()
      await requireRecentIdentityConfirmation(tx, session.token)
    }
    return deleteReplyRowAndDetachPictures(context, tx, { id, user_id, post_id: found.post_id })
  })

/**
 * Deletes the database row of a reply, marks its pictures as unreferenced, lowers the number of replies of
 * the post, and emits `reply.deleted`. Returns the names of the pictures, and the post.
 */
export async function deleteReplyRowAndDetachPictures(
  context: MemberContext,
  tx: Tx,
  { id, user_id, post_id }: { id: number; user_id: number; post_id: number },
) {
  const images = await tx.deleteFrom('reply_images').where('reply_id', '=', id).returning('media').execute()
  await tx.deleteFrom('replies').where('id', '=', id).execute()
  const pictures = images.map(({ media }) => media)
  await markMediaUnreferenced(tx, pictures)
  const [post] = await addToRepliesCountsOfPosts(context, tx, new Map([[post_id, -1]]))
  await context.emit(tx, 'reply.deleted', { id, post_id, user_id, actor_id: context.me.id })
  return { pictures, post: post! }
}

/**
 * Locks a reply until the commit, and returns its author and text. Throws 404 if the reply does not exist.
 * The caller must have locked the post of the reply before.
 */
export async function lockReplyAndReadAuthorAndText(tx: Tx, id: number) {
  const reply = await tx
    .selectFrom('replies')
    .select(['user_id', 'body'])
    .where('id', '=', id)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!reply) throw createNoSuchReplyError()
  return reply
}

const createNotAuthorError = () =>
  new HttpError(403, {
    en: 'Only the author can change a reply, and only the author or an admin can delete it.',
    ja: '返信を編集できるのは書いた人だけ、削除できるのは書いた人と管理者だけです。',
  })

import type { MemberContext } from '#core/context.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { lockMembers } from '#features/people/blocks.ts'
import { limitNewMember } from '#features/people/new-members.ts'
import * as people from '#features/people/read.ts'
import { requireConfirmation, type SessionContext } from '#features/people/session-confirmation.ts'
import * as visibility from '#features/people/visibility.ts'
import type { NewAttachments } from '#features/posts/attachments.ts'
import * as attachments from '#features/posts/attachments.ts'
import * as audiences from '#features/posts/audiences.ts'
import { requireLength } from '#features/posts/limits.ts'
import * as posts from '#features/posts/read.ts'
import type { RepliedPost } from '#features/posts/replied-posts.ts'
import * as repliedPosts from '#features/posts/replied-posts.ts'
import * as read from './read.ts'
import { REPLY_FILE_GUARD, REPLY_IMAGE_GUARD, replyPlace } from './tables.ts'

export interface NewReply extends NewAttachments {
  post: number
  body: string | null
  client_id?: string | null
  /** A reply to the same post; undefined if the new reply answers the post itself. */
  answers_id?: number | undefined
}

/**
 * Returns the post with the new number of replies. If the author has used the same `client_id` before, stores
 * nothing, and returns the earlier reply and its post. 404 if the member may not see the post, 403 if its group
 * has ended, 422 beyond the limits of the settings or for an invalid `answers_id`, 429 beyond the limits for new members.
 */
export const create = (
  context: MemberContext,
  { client_id = null, ...given }: NewReply,
  created_at = isoNow(),
): Promise<{ id: number; post: RepliedPost }> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    await lockMembers(tx, [me.id])
    const earlier = await findReplyByClientId(tx, me.id, client_id)
    const post = await repliedPosts.lock(context, tx, earlier?.post_id ?? given.post)
    if (earlier) return { id: earlier.id, post }
    if (!(await posts.isVisible({ ...context, db: tx }, post.id))) throw posts.notFound()
    await audiences.requireOpen(context, tx, post.id)
    const mentioned_id = await findAnswered(context, tx, post.id, given.answers_id)
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
    // Another transaction has just stored a reply with the same `client_id`: the same request came twice.
    if (!created) return { id: (await findReplyByClientId(tx, me.id, client_id))!.id, post }
    const { id } = created
    await attach(context, tx, id, post, given)
    const [counted] = await repliedPosts.addReplies(context, tx, new Map([[post.id, 1]]))
    const event = { id, post_id: post.id, user_id: me.id, post_user_id: post.author, mentioned_id }
    await emit(tx, 'reply.created', event)
    return { id, post: counted! }
  })

/** Checks the limits of the community and of new members before. */
async function attach(
  context: MemberContext,
  tx: Tx,
  id: number,
  post: RepliedPost,
  { body, ...attached }: Omit<NewReply, 'client_id'>,
) {
  requireLength(context, body, 'text')
  await limitNewMember(context, tx, 'reply')
  const guards = { picture: post.is_public ? null : REPLY_IMAGE_GUARD, file: REPLY_FILE_GUARD }
  await attachments.add(context, tx, { ...replyPlace, id, guards }, attached)
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
 * The id of the author of the answered reply; null if the new reply answers the post itself or a reply of the
 * same member. 422 if `answers_id` is no reply to this post, or if the member may not see its author.
 */
async function findAnswered(context: MemberContext, tx: Tx, post: number, answers_id: number | undefined) {
  if (answers_id === undefined) return null
  const found = await visibility
    .members({ ...context, db: tx })
    .innerJoin('replies', 'replies.user_id', 'users.id')
    .select('users.id')
    .where('replies.id', '=', answers_id)
    .where('replies.post_id', '=', post)
    .executeTakeFirst()
  if (!found)
    throw fieldError('answers_id', {
      en: 'The reply that you answer was deleted.',
      ja: '返信先の返信は削除されました。',
    })
  return found.id === context.me.id ? null : found.id
}

const createEmptyReplyError = () =>
  fieldError('text', {
    en: 'Write something or add a picture or file.',
    ja: '文章を入力するか、画像かファイルを追加してください。',
  })

/** 422 if a reply has neither a text nor a picture or file. */
export function requireContent(body: string | null, attached: readonly unknown[]) {
  if (!body && !attached.length) throw createEmptyReplyError()
}

/**
 * 404 if the member may not see the reply, 403 if another member wrote it, 422 if the new text is too long,
 * or empty without a picture or file.
 */
export const edit = (context: MemberContext, id: number, body: string | null) =>
  transaction(context.db, async (tx) => {
    const post_id = await read.findPost({ ...context, db: tx }, id)
    if (post_id === undefined) throw read.notFound()
    const post = await repliedPosts.lock(context, tx, post_id)
    const reply = await lockRow(tx, id)
    if (reply.user_id !== context.me.id) throw createNotAuthorError()
    requireLength(context, body, 'text')
    const attached = await tx
      .selectFrom('reply_attachments')
      .select('id')
      .where('reply_id', '=', id)
      .execute()
    requireContent(body, attached)
    if (reply.body !== body) {
      await tx.updateTable('replies').set({ body, edited_at: isoNow() }).where('id', '=', id).execute()
      await context.emit(tx, 'reply.edited', { id, user_id: context.me.id, post_id })
    }
    return { post }
  })

/**
 * The author may delete it even if they no longer see the post. 403 for other members, 404 for them and for
 * admins if they may not see the reply, 423 for admins without a recent confirmation. Returns the post with
 * its new number of replies; the caller deletes the files of the pictures.
 */
export const remove = (context: SessionContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me, session } = context
    const found = await tx.selectFrom('replies').select('post_id').where('id', '=', id).executeTakeFirst()
    if (!found) throw read.notFound()
    await repliedPosts.lock(context, tx, found.post_id)
    const { user_id } = await lockRow(tx, id)
    if (user_id !== me.id) {
      const viewer = { ...context, db: tx }
      if ((await read.findPost(viewer, id)) === undefined) throw read.notFound()
      if (!(me.is_admin && (await people.isAdmin(tx, me.id)))) throw createNotAuthorError()
      await requireConfirmation(tx, session.token)
    }
    return deleteRow(context, tx, { id, user_id, post_id: found.post_id })
  })

/**
 * Returns the names of the pictures, which are unreferenced now, and the post with its new number of replies.
 */
export async function deleteRow(
  context: MemberContext,
  tx: Tx,
  { id, user_id, post_id }: { id: number; user_id: number; post_id: number },
) {
  const images = await tx
    .deleteFrom('reply_attachments')
    .where('reply_id', '=', id)
    .returning('media')
    .execute()
  await tx.deleteFrom('replies').where('id', '=', id).execute()
  const pictures = images.map(({ media }) => media)
  await lifecycle.detach(tx, pictures)
  const [post] = await repliedPosts.addReplies(context, tx, new Map([[post_id, -1]]))
  await context.emit(tx, 'reply.deleted', { id, post_id, user_id, actor_id: context.me.id })
  return { pictures, post: post! }
}

/** The caller must have locked the post before. 404 if the reply does not exist. */
export async function lockRow(tx: Tx, id: number) {
  const reply = await tx
    .selectFrom('replies')
    .select(['user_id', 'body'])
    .where('id', '=', id)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!reply) throw read.notFound()
  return reply
}

const createNotAuthorError = () =>
  new HttpError(403, {
    en: 'Only the author can change a reply, and only the author or an admin can delete it.',
    ja: '返信を編集できるのは書いた人だけ、削除できるのは書いた人と管理者だけです。',
  })

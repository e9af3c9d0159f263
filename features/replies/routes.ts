import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { MediaReadGuardsByName } from '#core/media/guards.ts'
import { attachedImageOutputWidthsAndStandardWidth } from '#features/posts/read-images.ts'
import { broadcastDeletedReply, broadcastReplyEvent } from './broadcasts.ts'
import type { replyEndpoints } from './contract.ts'
import type { latestReplyEndpoints } from './latest-contract.ts'
import { likeReply, type ReplyLikeChangeResult, unlikeReply } from './likes.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { createCachedLatestRepliesReader } from './read-latest.ts'
import { REPLY_IMAGE_ACCESS_GUARD_NAME } from './tables.ts'

const messages = {
  created: { en: 'Reply sent.', ja: '返信しました。' },
  edited: { en: 'The reply was changed.', ja: '返信を変更しました。' },
  deleted: { en: 'The reply was deleted.', ja: '返信を削除しました。' },
}

/**
 * Creates the guard that decides who may load the pictures of replies to posts that are not for everybody, or
 * that a moderator has hidden.
 */
export const createReplyImageAccessGuardsByName = (context: AppContext): MediaReadGuardsByName => ({
  [REPLY_IMAGE_ACCESS_GUARD_NAME]: (me, picture) => read.maySeeReplyImage({ ...context, me }, picture),
})

export function createLatestReplyEndpointHandlers(
  app: AppContext,
): EndpointHandlers<typeof latestReplyEndpoints> {
  const readLatestReplies = createCachedLatestRepliesReader(app)
  return { list: (context) => readLatestReplies(context, context.input.posts) }
}

export function createReplyEndpointHandlers(app: AppContext): EndpointHandlers<typeof replyEndpoints> {
  const broadcastLikes = (id: number, { author, post, ...likes }: ReplyLikeChangeResult) => {
    const data = { id, post_id: post.id, likes_count: likes.likes_count }
    broadcastReplyEvent(app, 'ReplyLiked', data, post, [author])
    return likes
  }

  return {
    list: (context) => read.listRepliesToPost(context, context.input),
    likers: (context) => read.listReplyLikers(context, context.input),

    create: async (context) => {
      const { me, media, files, lang } = context
      const { id: postId, text: body, alt, client_id, answers_id } = context.input
      model.requireReplyContent(body, files.length)
      const { id, post } = await media.store(files, attachedImageOutputWidthsAndStandardWidth, (pictures) =>
        model.createReply(context, {
          post: postId,
          body,
          pictures,
          descriptions: alt,
          client_id,
          answers_id,
        }),
      )
      const reply = await read.readReply(context, id)
      // Broadcasts `ReplyCreated` again when the client repeats a request, because the process may have ended
      // before the first broadcast. Browsers ignore a reply that they already have.
      const data = {
        id,
        post_id: post.id,
        replies_count: post.replies_count,
        reply: { ...reply, liked_by_me: false },
      }
      const mentioned = reply.mentions ? [reply.mentions.id] : []
      broadcastReplyEvent(context, 'ReplyCreated', data, post, [me.id, ...mentioned])
      return { message: messages.created[lang], reply }
    },
    edit: async (context) => {
      const { id, text } = context.input
      const { post } = await model.editOwnReply(context, id, text)
      const reply = await read.readReply(context, id)
      const data = { id, post_id: post.id, body: reply.body, edited_at: reply.edited_at }
      broadcastReplyEvent(context, 'ReplyChanged', data, post, [context.me.id])
      return { message: messages.edited[context.lang], reply }
    },
    remove: async (context) => {
      const { id } = context.input
      const { pictures, post } = await model.deleteReplyAsAuthorOrAdmin(context, id)
      broadcastDeletedReply(context, id, post)
      await context.media.deleteUnreferenced(pictures)
      return { message: messages.deleted[context.lang] }
    },

    like: async (context) => broadcastLikes(context.input.id, await likeReply(context, context.input.id)),
    unlike: async (context) => {
      const { id } = context.input
      const { isVisible, likes } = await unlikeReply(context, id)
      const answer = broadcastLikes(id, likes)
      // Throws the same 404 as for a member who does not like the reply, so that the response does not tell
      // whether the reply still exists.
      if (!isVisible) throw read.createNoSuchReplyError()
      return answer
    },
  }
}

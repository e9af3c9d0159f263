import type { AppContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import { imageWidths } from '#features/posts/read-images.ts'
import * as broadcasts from './broadcasts.ts'
import type { latestEndpoints, replyEndpoints } from './contract.ts'
import { type LikeChange, likeReply, unlikeReply } from './likes.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { listLatest } from './read-latest.ts'
import { REPLY_FILE_GUARD, REPLY_IMAGE_GUARD } from './tables.ts'

const messages = {
  created: { en: 'Reply sent.', ja: '返信しました。' },
  edited: { en: 'The reply was changed.', ja: '返信を変更しました。' },
  deleted: { en: 'The reply was deleted.', ja: '返信を削除しました。' },
}

/** For files, and for pictures of replies to posts that are hidden or not for everybody. */
export const mediaGuards = (context: AppContext): MediaGuards => ({
  [REPLY_IMAGE_GUARD]: (me, picture) => read.canSeeMedia({ ...context, me }, picture),
  [REPLY_FILE_GUARD]: { mayRead: (me, file) => read.canSeeMedia({ ...context, me }, file) },
})

export const latestHandlers: Handlers<typeof latestEndpoints> = {
  list: (context) => listLatest(context, context.input.posts),
}

export function replyHandlers(app: AppContext): Handlers<typeof replyEndpoints> {
  const broadcastLikes = (id: number, { author, post, ...likes }: LikeChange) => {
    const data = { id, post_id: post.id, likes_count: likes.likes_count }
    broadcasts.send(app, 'ReplyLiked', data, post, [author])
    return likes
  }

  return {
    list: (context) => read.list(context, context.input),
    likers: (context) => read.listLikers(context, context.input),

    create: async (context) => {
      const { me, media, files, lang } = context
      const { id: postId, text: body, alt, ...further } = context.input
      model.requireContent(body, files)
      const { id, post } = await media.store(files, imageWidths, (pictures, stored, previews) =>
        model.create(context, {
          post: postId,
          body,
          pictures,
          files: stored,
          previews,
          descriptions: alt,
          ...further,
        }),
      )
      const reply = await read.get(context, id)
      // Also when the client repeats a request, because the process may have ended before the first
      // broadcast. Browsers ignore a reply that they already have.
      const data = {
        id,
        post_id: post.id,
        replies_count: post.replies_count,
        reply: { ...reply, liked_by_me: false },
      }
      const mentioned = reply.mentions ? [reply.mentions.id] : []
      broadcasts.send(context, 'ReplyCreated', data, post, [me.id, ...mentioned])
      return { message: messages.created[lang], reply }
    },
    edit: async (context) => {
      const { id, text } = context.input
      const { post } = await model.edit(context, id, text)
      const reply = await read.get(context, id)
      const data = { id, post_id: post.id, body: reply.body, edited_at: reply.edited_at }
      broadcasts.send(context, 'ReplyChanged', data, post, [context.me.id])
      return { message: messages.edited[context.lang], reply }
    },
    remove: async (context) => {
      const { id } = context.input
      const { pictures, post } = await model.remove(context, id)
      broadcasts.removed(context, id, post)
      await context.media.deleteUnreferenced(pictures)
      return { message: messages.deleted[context.lang] }
    },

    like: async (context) => broadcastLikes(context.input.id, await likeReply(context, context.input.id)),
    unlike: async (context) => {
      const { id } = context.input
      const { isVisible, likes } = await unlikeReply(context, id)
      const answer = broadcastLikes(id, likes)
      // The same 404 as without a like, so that the response does not tell whether the reply still exists.
      if (!isVisible) throw read.notFound()
      return answer
    },
  }
}

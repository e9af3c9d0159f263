import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { invalidFieldError } from '#core/http/errors.ts'
import { type PostChannelEvents, postChannelDefinitions, type postEndpoints } from './contract.ts'
import { createPostListReader } from './feeds.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { attachmentImageSizes } from './read-images.ts'

const messages = {
  created: { en: 'Post submitted successfully.', ja: '投稿しました。' },
  deleted: { en: 'The post was deleted.', ja: '投稿を削除しました。' },
  nothing: { en: 'Write something or add a picture.', ja: '文章を入力するか、画像を追加してください。' },
}

export function createPostRoutes(app: AppContext): EndpointHandlers<typeof postEndpoints> {
  const feeds = createPostListReader(app)
  /**
   * Broadcasts an event. Viewers who may not see all people in `aboutUsers` do not get it. The deletion of a
   * post is sent to everybody.
   */
  const broadcast = <E extends keyof PostChannelEvents>(
    event: E,
    data: PostChannelEvents[E],
    aboutUsers: number[],
  ) => app.realtime.broadcast([postChannelDefinitions.posts.name], event, data, { aboutUsers })
  const broadcastLikes = (id: number, { author, ...likes }: model.LikeState) => {
    broadcast('PostLiked', { id, likes_count: likes.likes_count }, [author])
    return likes
  }

  return {
    list: (context) => feeds.all(context, context.input),
    following: (context) => feeds.following(context, context.input),
    byAuthor: ({ input: { id, ...page }, ...context }) => feeds.byAuthor(context, id, page),
    show: (context) => read.readPost(context, context.input.id),
    author: (context) => read.readAuthorProfile(context, context.input.id),
    likers: (context) => read.listLikers(context, context.input),
    firstSteps: (context) => read.readFirstSteps(context),

    create: async (context) => {
      const { me, media, files, lang } = context
      const { text: body, alt, client_id } = context.input
      if (!body && !files.length) throw invalidFieldError('text', messages.nothing)
      const id = await media.store(files, attachmentImageSizes, (pictures) =>
        model.createPost(context, { body, pictures, descriptions: alt, client_id }),
      )
      const post = await read.readPost(context, id)
      broadcast('PostCreated', { id, user_id: me.id, post: { ...post, liked_by_me: false } }, [me.id])
      return { message: messages.created[lang], post }
    },
    remove: async (context) => {
      const { id } = context.input
      const pictures = await model.deletePost(context, id)
      broadcast('PostDeleted', { id }, [])
      await context.media.deleteUnreferenced(pictures)
      return { message: messages.deleted[context.lang] }
    },

    toggleLike: async (context) =>
      broadcastLikes(context.input.id, await model.togglePostLike(context, context.input.id)),
    like: async (context) =>
      broadcastLikes(context.input.id, await model.likePost(context, context.input.id)),
    unlike: async (context) =>
      broadcastLikes(context.input.id, await model.unlikePost(context, context.input.id)),
  }
}

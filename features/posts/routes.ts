import type { AppContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import { channels, type PostEvents, type posts } from './contract.ts'
import { createFeeds } from './feeds.ts'
import { postImageSizes } from './images.ts'
import * as model from './model.ts'
import * as read from './read.ts'

const messages = {
  created: { en: 'Post submitted successfully.', ja: '投稿しました。' },
  deleted: { en: 'The post is deleted.', ja: '投稿を削除しました。' },
  nothing: { en: 'Write something or add a picture.', ja: '文章を入力するか、画像を追加してください。' },
}

export function routes(app: AppContext): Handlers<typeof posts> {
  const feeds = createFeeds(app)
  /** `about` is the author, whom not every viewer may see. A deleted post leaves the lists of everybody. */
  const broadcast = <E extends keyof PostEvents>(event: E, data: PostEvents[E], about: number[]) =>
    app.realtime.broadcast([channels.posts.name], event, data, { about })
  const broadcastLikes = (id: number, { author, ...likes }: model.Likes) => {
    broadcast('PostLiked', { id, likes_count: likes.likes_count }, [author])
    return likes
  }

  return {
    list: (context) => feeds.all(context, context.input),
    following: (context) => feeds.following(context, context.input),
    byAuthor: ({ input: { id, ...page }, ...context }) => feeds.byAuthor(context, id, page),
    show: (context) => read.post(context, context.input.id),
    author: (context) => read.author(context, context.input.id),
    likers: (context) => read.likers(context, context.input),
    firstSteps: (context) => read.firstSteps(context),

    create: async (context) => {
      const { me, media, files, lang } = context
      const { text: body, alt, client_id } = context.input
      if (!body && !files.length) throw fieldError('text', messages.nothing)
      const id = await media.store(files, postImageSizes, (pictures) =>
        model.create(context, { body, pictures, alt, client_id }),
      )
      const post = await read.post(context, id)
      broadcast('PostCreated', { id, user_id: me.id, post: { ...post, liked_by_me: false } }, [me.id])
      return { message: messages.created[lang], post }
    },
    remove: async (context) => {
      const { id } = context.input
      const pictures = await model.remove(context, id)
      broadcast('PostDeleted', { id }, [])
      await context.media.deleteUnreferenced(pictures)
      return { message: messages.deleted[context.lang] }
    },

    toggleLike: async (context) =>
      broadcastLikes(context.input.id, await model.toggleLike(context, context.input.id)),
    like: async (context) => broadcastLikes(context.input.id, await model.like(context, context.input.id)),
    unlike: async (context) =>
      broadcastLikes(context.input.id, await model.unlike(context, context.input.id)),
  }
}

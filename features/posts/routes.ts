import type { AppContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import type { Realtime } from '#core/realtime/server.ts'
import { channels, type posts } from './contract.ts'
import { createFeeds } from './feeds.ts'
import { postImageSizes } from './images.ts'
import * as model from './model.ts'

const said = {
  created: { en: 'Post submitted successfully.', ja: '投稿しました。' },
  deleted: { en: 'The post is deleted.', ja: '投稿を削除しました。' },
  nothing: { en: 'Write something or add a picture.', ja: '文章を入力するか、画像を追加してください。' },
}

export function routes(context: AppContext): Handlers<typeof posts> {
  const feeds = createFeeds(context)
  return {
    list: ({ me, input }) => feeds.all(me?.id ?? null, input),
    following: ({ me, input }) => feeds.following(me.id, input),
    create: async ({ db, media, realtime, me, input, files, lang }) => {
      if (!input.text && !files.length) throw fieldError('text', said.nothing)
      const { text: body, alt, client_id } = input
      const id = await media.store(files, postImageSizes, (pictures) =>
        model.create(db, me.id, { body, pictures, alt, client_id }),
      )
      const post = await model.one(db, media, me.id, id)
      const publicPost = { ...post, liked_by_me: false }
      realtime.broadcast([channels.posts.name], 'PostCreated', { id, user_id: me.id, post: publicPost })
      return { message: said.created[lang], post }
    },
    show: ({ db, media, me, input }) => model.one(db, media, me?.id ?? null, input.id),
    remove: async ({ db, media, realtime, me, input: { id }, lang }) => {
      const pictures = await model.remove(db, me.id, id)
      realtime.broadcast([channels.posts.name], 'PostDeleted', { id })
      await media.deleteUnreferenced(pictures)
      return { message: said.deleted[lang] }
    },
    author: ({ db, media, me, input }) => model.author(db, media, me.id, input.id),
    byAuthor: ({ me, input: { id, ...cut } }) => feeds.byAuthor(me.id, id, cut),
    firstSteps: ({ db, me }) => model.firstSteps(db, me.id),
    toggleLike: async ({ db, realtime, me, input }) =>
      tellLikes(realtime, input.id, await model.toggleLike(db, me.id, input.id)),
    like: async ({ db, realtime, me, input }) =>
      tellLikes(realtime, input.id, await model.like(db, me.id, input.id)),
    unlike: async ({ db, realtime, me, input }) =>
      tellLikes(realtime, input.id, await model.unlike(db, me.id, input.id)),
  }
}

function tellLikes(realtime: Realtime, id: number, liking: { liked: boolean; likes_count: number }) {
  realtime.broadcast([channels.posts.name], 'PostLiked', { id, likes_count: liking.likes_count })
  return liking
}

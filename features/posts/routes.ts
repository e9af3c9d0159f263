import type { Handlers } from '#core/http.ts'
import { wrongField } from '#core/words.ts'
import type { posts } from './contract.ts'
import { imageShape } from './images.ts'
import * as model from './model.ts'

const said = {
  created: { en: 'Post submitted successfully.', ja: '投稿しました。' },
  nothing: { en: 'Write something or add a picture.', ja: '文章を書くか、画像を追加してください。' },
}

export const routes: Handlers<typeof posts> = {
  list: ({ db, media, me, input }) => model.list(db, media, me?.id ?? null, input),
  following: ({ db, media, me, input }) => model.following(db, media, me.id, input),
  create: async ({ db, media, me, input, files, lang }) => {
    if (!input.text && !files.length) throw wrongField('text', said.nothing)
    const { text: body, alt, client_id } = input
    const id = await media.keep(files, imageShape, (pictures) => model.create(db, me.id, { body, pictures, alt, client_id }))
    return { message: said.created[lang], post: await model.one(db, media, me.id, id) }
  },
  toggleLike: ({ db, me, input }) => model.toggleLike(db, me.id, input.id),
  like: ({ db, me, input }) => model.like(db, me.id, input.id),
  unlike: ({ db, me, input }) => model.unlike(db, me.id, input.id),
}

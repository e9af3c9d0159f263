import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import {
  type ExportPicture,
  type ExportRecord,
  type ExportSection,
  toExportPicturesFromUrl,
  yieldAllPages,
} from '#core/exports.ts'
import { formatPersonNameForExport } from '#features/people/export.ts'
import type { AttachedImage } from './contract.ts'
import { countOwnPosts, listLikedPosts, listOwnPosts } from './read-own.ts'

const texts = {
  en: {
    posts: 'Posts',
    likes: 'Likes that you gave',
    liked: (count: number) => (count === 1 ? '1 like' : `${count} likes`),
    likedAt: 'You liked it at',
    audience: 'Visible to',
    members: 'Members',
    followers: 'Your followers',
    group: 'A group',
  },
  ja: {
    posts: '投稿',
    likes: 'あなたの「いいね」',
    liked: (count: number) => `いいね ${count}件`,
    likedAt: '「いいね」した日時',
    audience: '公開範囲',
    members: 'メンバー',
    followers: 'あなたのフォロワー',
    group: 'グループ',
  },
} satisfies Record<Language, object>

/** Returns the largest files of the images of a post, a reply or a message. */
export const toExportPictures = (images: readonly AttachedImage[]): ExportPicture[] =>
  images.flatMap(({ full, alt, width, height }) =>
    toExportPicturesFromUrl(full, { alt, size: { width, height } }),
  )

async function* readPostRecords(viewer: MemberContext, lang: Language) {
  for await (const posts of yieldAllPages((page) => listOwnPosts(viewer, page)))
    yield posts.map(
      ({ id, body, created_at, likes_count, images, audience }): ExportRecord => ({
        data: { id, body, created_at, likes_count, ...(audience && { audience }) },
        time: created_at,
        text: body,
        pictures: toExportPictures(images),
        facts: audience ? [[texts[lang].audience, texts[lang][audience]]] : [],
        note: likes_count ? texts[lang].liked(likes_count) : undefined,
      }),
    )
}

async function* readLikeRecords(viewer: MemberContext, lang: Language) {
  for await (const likes of yieldAllPages((page) => listLikedPosts(viewer, page)))
    yield likes.map(
      ({ id, body, user, created_at, liked_at }): ExportRecord => ({
        data: { post_id: id, body, author: { id: user.id, name: user.name }, created_at, liked_at },
        heading: formatPersonNameForExport(user),
        time: created_at,
        text: body,
        facts: [[texts[lang].likedAt, { time: liked_at }]],
      }),
    )
}

export const postExportSection: ExportSection = {
  title: { en: 'Posts', ja: '投稿' },
  count: countOwnPosts,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield { path: 'posts', title: t.posts, layout: 'list', pages: () => readPostRecords(viewer, lang) }
    yield { path: 'likes', title: t.likes, layout: 'list', pages: () => readLikeRecords(viewer, lang) }
  },
}

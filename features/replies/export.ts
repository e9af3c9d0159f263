import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import { toExportFiles, toExportPictures } from '#features/posts/export.ts'
import * as read from './read.ts'

const texts = {
  en: {
    replies: 'Replies',
    likes: 'Likes that you gave to replies',
    liked: (count: number) => (count === 1 ? '1 like' : `${count} likes`),
    likedReply: (id: number) => `Reply ${id}`,
    edited: 'Edited at',
  },
  ja: {
    replies: '返信',
    likes: '返信への「いいね」',
    liked: (count: number) => `いいね${count}件`,
    likedReply: (id: number) => `返信 ${id}`,
    edited: '編集日時',
  },
} satisfies Record<Language, object>

async function* readReplyRecords(viewer: MemberContext, lang: Language) {
  for await (const replies of yieldPages((page) => read.listOwn(viewer, page)))
    yield replies.map(
      ({ id, post_id, body, created_at, edited_at, likes_count, images, files }): ExportRecord => ({
        data: { id, post_id, body, created_at, edited_at, likes_count },
        time: created_at,
        text: body,
        pictures: toExportPictures(images),
        files: toExportFiles(files),
        facts: edited_at ? [[texts[lang].edited, { time: edited_at }]] : [],
        note: likes_count ? texts[lang].liked(likes_count) : undefined,
      }),
    )
}

async function* readLikeRecords(viewer: MemberContext, lang: Language) {
  for await (const likes of yieldPages((page) => read.listOwnLikes(viewer, page)))
    yield likes.map(
      (like): ExportRecord => ({
        data: like,
        heading: texts[lang].likedReply(like.reply_id),
        time: like.liked_at,
      }),
    )
}

export const exportSection: ExportSection = {
  title: { en: 'Replies', ja: '返信' },
  count: read.countOwn,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield { path: 'replies', title: t.replies, layout: 'list', pages: () => readReplyRecords(viewer, lang) }
    yield { path: 'reply-likes', title: t.likes, layout: 'list', pages: () => readLikeRecords(viewer, lang) }
  },
}

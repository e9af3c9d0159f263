import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import * as read from './read.ts'

const texts = {
  en: {
    post: (id: number) => `Post ${id}`,
    reply: (id: number) => `Reply ${id}`,
    message: (id: number) => `Message ${id}`,
  },
  ja: {
    post: (id: number) => `投稿 ${id}`,
    reply: (id: number) => `返信 ${id}`,
    message: (id: number) => `メッセージ ${id}`,
  },
} satisfies Record<Language, object>

const title = { en: 'Reactions', ja: 'リアクション' }

async function* readReactionRecords(viewer: MemberContext, lang: Language) {
  const t = texts[lang]
  for await (const reactions of yieldPages((page) => read.listOwn(viewer, page)))
    yield reactions.map(
      ({ id: _, ...reaction }): ExportRecord => ({
        data: reaction,
        heading:
          reaction.post_id !== null
            ? t.post(reaction.post_id)
            : reaction.reply_id !== null
              ? t.reply(reaction.reply_id)
              : t.message(reaction.message_id!),
        time: reaction.created_at,
        text: reaction.emoji,
      }),
    )
}

export const exportSection: ExportSection = {
  title,
  count: ({ db, me }) => read.countOfMember(db, me.id),
  async *documents(viewer, lang) {
    yield {
      path: 'reactions',
      title: title[lang],
      layout: 'list',
      pages: () => readReactionRecords(viewer, lang),
    }
  },
}

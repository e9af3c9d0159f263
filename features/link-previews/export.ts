import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, type ExportValue, yieldPages } from '#core/feature/exports.ts'
import * as read from './read.ts'

const texts = {
  en: {
    link: 'Link',
    removed: 'Removed by you',
    post: (id: number) => `Post ${id}`,
    reply: (id: number) => `Reply ${id}`,
    message: (id: number) => `Message ${id}`,
  },
  ja: {
    link: 'リンク',
    removed: '削除した日時',
    post: (id: number) => `投稿 ${id}`,
    reply: (id: number) => `返信 ${id}`,
    message: (id: number) => `メッセージ ${id}`,
  },
} satisfies Record<Language, object>

const title = { en: 'Link previews', ja: 'リンクのプレビュー' }

async function* readPreviewRecords(viewer: MemberContext, lang: Language) {
  const t = texts[lang]
  for await (const previews of yieldPages((page) => read.listOwn(viewer, page)))
    yield previews.map(({ id: _, ...preview }): ExportRecord => {
      const { post_id, reply_id, message_id, removed_at } = preview
      const facts: ExportValue[] = [[t.link, preview.url]]
      if (removed_at !== null) facts.push([t.removed, { time: removed_at }])
      return {
        data: preview,
        heading:
          post_id !== null ? t.post(post_id) : reply_id !== null ? t.reply(reply_id) : t.message(message_id!),
        time: preview.created_at,
        text: [preview.title, preview.description].filter((line) => line !== null).join('\n'),
        facts,
      }
    })
}

export const exportSection: ExportSection = {
  title,
  count: ({ db, me }) => read.countOfMember(db, me.id),
  async *documents(viewer, lang) {
    yield {
      path: 'link-previews',
      title: title[lang],
      layout: 'list',
      pages: () => readPreviewRecords(viewer, lang),
    }
  },
}

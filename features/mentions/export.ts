import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import { exportedName } from '#features/people/export.ts'
import * as read from './read.ts'

const texts = {
  en: {
    mentions: 'Texts that mention you',
    in: 'In',
    post: (id: number) => `Post ${id}`,
    reply: (id: number) => `Reply ${id}`,
    message: (id: number) => `Message ${id}`,
  },
  ja: {
    mentions: 'あなたへのメンション',
    in: '場所',
    post: (id: number) => `投稿 ${id}`,
    reply: (id: number) => `返信 ${id}`,
    message: (id: number) => `メッセージ ${id}`,
  },
} satisfies Record<Language, object>

type Mention = Awaited<ReturnType<typeof read.byOthers>>['body'][number]

function describeSource({ post_id, reply_id, message_id }: Mention, lang: Language) {
  const t = texts[lang]
  if (post_id !== null) return t.post(post_id)
  return reply_id === null ? t.message(message_id!) : t.reply(reply_id)
}

async function* readMentionRecords(viewer: MemberContext, lang: Language) {
  for await (const mentions of yieldPages((page) => read.byOthers(viewer, page)))
    yield mentions.map((mention): ExportRecord => {
      const { post_id, reply_id, message_id, created_at, user } = mention
      return {
        data: { post_id, reply_id, message_id, created_at, author: { id: user.id, name: user.name } },
        heading: exportedName(user),
        time: created_at,
        facts: [[texts[lang].in, describeSource(mention, lang)]],
      }
    })
}

/** The ids and authors of the texts, but not their words. */
export const mentionExport: ExportSection = {
  title: { en: 'Mentions', ja: 'メンション' },
  count: read.countByOthers,
  async *documents(viewer, lang) {
    yield {
      path: 'mentions',
      title: texts[lang].mentions,
      layout: 'list',
      pages: () => readMentionRecords(viewer, lang),
    }
  },
}

import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type DataExportRecord, type DataExportSection, yieldAllKeysetPages } from '#core/exports.ts'
import { formatPersonNameForExport } from '#features/people/export.ts'
import { countMentionsOfViewerByOthers, listMentionsOfViewerByOthers } from './read.ts'

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

type Mention = Awaited<ReturnType<typeof listMentionsOfViewerByOthers>>['body'][number]

function describeSource({ post_id, reply_id, message_id }: Mention, lang: Language) {
  const t = texts[lang]
  if (post_id !== null) return t.post(post_id)
  return reply_id === null ? t.message(message_id!) : t.reply(reply_id)
}

async function* readMentionRecords(viewer: MemberContext, lang: Language) {
  for await (const mentions of yieldAllKeysetPages((page) => listMentionsOfViewerByOthers(viewer, page)))
    yield mentions.map((mention): DataExportRecord => {
      const { post_id, reply_id, message_id, created_at, user } = mention
      return {
        data: { post_id, reply_id, message_id, created_at, author: { id: user.id, name: user.name } },
        heading: formatPersonNameForExport(user),
        time: created_at,
        facts: [[texts[lang].in, describeSource(mention, lang)]],
      }
    })
}

/**
 * The section of a member's data export that lists the texts in which other people mention the member. It has
 * the ids and the authors of these texts, but not their words.
 */
export const mentionsByOthersExportSection: DataExportSection = {
  title: { en: 'Mentions', ja: 'メンション' },
  count: countMentionsOfViewerByOthers,
  async *documents(viewer, lang) {
    yield {
      path: 'mentions',
      title: texts[lang].mentions,
      layout: 'list',
      pages: () => readMentionRecords(viewer, lang),
    }
  },
}

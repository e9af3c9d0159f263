import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage } from '#core/feature/exports.ts'
import type { Draft } from './contract.ts'
import * as model from './model.ts'

const title = { en: 'Drafts', ja: '下書き' }
const headings: Record<Language, Record<Draft['kind'], string>> = {
  en: { post: 'Post', person: 'Private chat', group: 'Group chat' },
  ja: { post: '投稿', person: '個別チャット', group: 'グループチャット' },
}

const written = async (viewer: MemberContext) => (await model.list(viewer)).filter(({ text }) => text)

const readRecords = async (viewer: MemberContext, lang: Language): Promise<ExportRecord[]> =>
  (await written(viewer)).map((draft) => ({
    data: draft,
    heading: headings[lang][draft.kind],
    time: draft.written_at,
    text: draft.text,
  }))

export const exportSection: ExportSection = {
  title,
  count: async (viewer) => (await written(viewer)).length,
  async *documents(viewer, lang) {
    yield {
      path: 'drafts',
      title: title[lang],
      layout: 'list',
      pages: () => yieldOnePage(() => readRecords(viewer, lang)),
    }
  },
}

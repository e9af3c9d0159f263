import type { ExportSection } from '#core/feature/exports.ts'
import * as model from './model.ts'

export const exportSection: ExportSection = {
  title: { en: 'Calendar address', ja: 'カレンダーのアドレス' },
  count: async (viewer) => ((await model.get(viewer)).created_at === null ? 0 : 1),
  async *documents(viewer, lang) {
    const title = { en: 'Calendar address', ja: 'カレンダーのアドレス' }[lang]
    const { created_at, read_at } = await model.get(viewer)
    const data = { created_at, read_at }
    const record = { data, heading: created_at ?? '', text: '' }
    yield {
      path: 'calendar-address',
      title,
      layout: 'list',
      pages: async function* () {
        if (created_at !== null) yield [record]
      },
    }
  },
}

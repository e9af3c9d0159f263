import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportSection, yieldOnePage } from '#core/feature/exports.ts'
import * as marks from './marks.ts'

const texts = {
  en: {
    title: 'Visits',
    done: 'You had seen all until',
    left: 'End of the visit before',
    visited: 'Last visit',
  },
  ja: { title: '最近の利用', done: 'すべて確認した日時', left: '前回の利用', visited: '最近の利用' },
} satisfies Record<Language, object>

async function readRecords({ db, me }: MemberContext, lang: Language) {
  const t = texts[lang]
  const mark = await marks.find(db, me.id)
  if (!mark) return []
  const { done_until, left_at, visited_at } = mark
  const facts: [string, string][] = [
    [t.visited, visited_at],
    [t.left, left_at],
    [t.done, done_until],
  ]
  return [{ data: { visited_at, left_at, done_until }, facts }]
}

export const exportSection: ExportSection = {
  title: { en: texts.en.title, ja: texts.ja.title },
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'visits',
      title: texts[lang].title,
      layout: 'start',
      pages: () => yieldOnePage(() => readRecords(viewer, lang)),
    }
  },
}

import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage } from '#core/feature/exports.ts'
import type { Mode } from './contract.ts'
import * as model from './model.ts'

const title = { en: 'New posts that you are told of', ja: '新しい投稿の通知' }
const texts = {
  en: { of: 'Of whom', person: 'Person', group: 'Group' },
  ja: { of: '通知する投稿', person: '人', group: 'グループ' },
} satisfies Record<Language, object>
const modes: Record<Language, Record<Mode, string>> = {
  en: { everybody: 'Everyone', chosen: 'Those chosen', nobody: 'Nobody' },
  ja: { everybody: '全員', chosen: '選んだ人とグループ', nobody: '通知しない' },
}

async function readRecords(viewer: MemberContext, lang: Language): Promise<ExportRecord[]> {
  const t = texts[lang]
  const { mode, is_default, people, groups } = await model.get(viewer)
  const ids = (rows: readonly { id: number; name: string }[]) => rows.map(({ id, name }) => ({ id, name }))
  return [
    {
      data: { mode, is_default, people: ids(people), groups: ids(groups) },
      facts: [
        [t.of, modes[lang][mode]],
        ...people.map(({ name }) => [t.person, name] as const),
        ...groups.map(({ name }) => [t.group, name] as const),
      ],
    },
  ]
}

export const exportSection: ExportSection = {
  title,
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'new-posts',
      title: title[lang],
      layout: 'start',
      pages: () => yieldOnePage(() => readRecords(viewer, lang)),
    }
  },
}

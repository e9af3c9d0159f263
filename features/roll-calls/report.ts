import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { yieldPages } from '#core/feature/exports.ts'
import { csvDownload } from '#core/http/csv.ts'
import { listMembers } from './board.ts'
import type { BoardMember } from './contract.ts'
import { requireManaged } from './read.ts'
import { boardLabels } from './states-contract.ts'

const texts = {
  en: {
    head: ['Name', 'State', 'Words', 'Place', 'Answered at', 'Answered by', 'Telephone'],
    drill: 'DRILL',
    started: 'Started',
    ended: 'Ended',
    running: 'still running',
  },
  ja: {
    head: ['名前', '状態', 'ひとこと', '場所', '回答した時刻', '回答した人', '電話番号'],
    drill: '訓練',
    started: '開始',
    ended: '終了',
    running: '実施中',
  },
} satisfies Record<Language, object>

/** Of a roll call that runs, as far as it is known. 404 unless the viewer manages it. */
export async function report(viewer: MemberContext, id: number, lang: Language) {
  const { title, is_drill, started_at, ended_at } = await requireManaged(viewer, id)
  const t = texts[lang]
  const lines: string[][] = [
    [title, ...(is_drill ? [t.drill] : [])],
    [t.started, started_at, t.ended, ended_at ?? t.running],
    t.head,
  ]
  for await (const page of yieldPages((params) => listMembers(viewer, { id, ...params })))
    lines.push(...page.map((member) => toLine(member, lang)))
  return csvDownload(`roll-call-${id}${is_drill ? '-drill' : ''}.csv`, lines)
}

const toLine = ({ person, answer, phone }: BoardMember, lang: Language) => [
  person.name,
  boardLabels[lang][answer?.state ?? 'none'],
  ...[answer?.words, answer?.place, answer?.at, answer?.by?.name, phone].map((text) => text ?? ''),
]

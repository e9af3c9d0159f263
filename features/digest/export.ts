import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage } from '#core/feature/exports.ts'
import * as digestSettings from './settings.ts'

const texts = {
  en: {
    title: 'Mails about what is new',
    digest: 'Mail',
    sent: 'Sent',
    never: 'Never',
    weekly: 'Weekly',
    daily: 'Daily',
  },
  ja: {
    title: '新着まとめメール',
    digest: 'メール',
    sent: '送信',
    never: '受け取らない',
    weekly: '毎週',
    daily: '毎日',
  },
} satisfies Record<Language, object>

async function readRecords(viewer: MemberContext, lang: Language): Promise<ExportRecord[]> {
  const t = texts[lang]
  const { frequency } = await digestSettings.get(viewer)
  const digests = await digestSettings.listTimes(viewer)
  return [
    { data: { frequency }, facts: [[t.title, t[frequency]]] },
    ...digests.map(
      ({ created_at, sent_at }): ExportRecord => ({
        data: { created_at, sent_at },
        time: created_at,
        text: t.digest,
        facts: sent_at ? [[t.sent, sent_at]] : [],
      }),
    ),
  ]
}

export const exportSection: ExportSection = {
  title: { en: texts.en.title, ja: texts.ja.title },
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'digests',
      title: texts[lang].title,
      layout: 'start',
      pages: () => yieldOnePage(() => readRecords(viewer, lang)),
    }
  },
}

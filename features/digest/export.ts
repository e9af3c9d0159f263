import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type DataExportRecord, type DataExportSection, yieldQueryResultAsSinglePage } from '#core/exports.ts'
import { listOwnDigestTimes, readDigestFrequencyAndHasVerifiedEmail } from './settings.ts'

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
    title: '新着のメール',
    digest: 'メール',
    sent: '送信',
    never: '受け取らない',
    weekly: '毎週',
    daily: '毎日',
  },
} satisfies Record<Language, object>

async function readRecords(viewer: MemberContext, lang: Language): Promise<DataExportRecord[]> {
  const t = texts[lang]
  const { frequency } = await readDigestFrequencyAndHasVerifiedEmail(viewer)
  const digests = await listOwnDigestTimes(viewer)
  return [
    { data: { frequency }, facts: [[t.title, t[frequency]]] },
    ...digests.map(
      ({ created_at, sent_at }): DataExportRecord => ({
        data: { created_at, sent_at },
        time: created_at,
        text: t.digest,
        facts: sent_at ? [[t.sent, sent_at]] : [],
      }),
    ),
  ]
}

/**
 * The part of a member's data export with the frequency of the digests, and with the times of the stored
 * digests.
 */
export const digestExportSection: DataExportSection = {
  title: { en: texts.en.title, ja: texts.ja.title },
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'digests',
      title: texts[lang].title,
      layout: 'start',
      pages: () => yieldQueryResultAsSinglePage(() => readRecords(viewer, lang)),
    }
  },
}

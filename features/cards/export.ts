import type { Language } from '#core/contract.ts'
import { type DataExportRecord, type DataExportSection, yieldQueryResultAsSinglePage } from '#core/exports.ts'
import { listOwnLogInCardForExport, listOwnMemberListImportsForExport } from './read.ts'

const texts = {
  en: {
    cards: 'Log-in cards',
    own: 'Your log-in card',
    used: 'Used',
    until: 'Until',
    list: 'List of members',
  },
  ja: { cards: 'ログインカード', own: 'あなたのログインカード', used: '使用', until: '期限', list: '名簿' },
} satisfies Record<Language, object>

/**
 * The section of the data export with the card with which the member first logged in, and the lists of new
 * members that the member has imported.
 */
export const logInCardExportSection: DataExportSection = {
  title: { en: 'Log-in cards', ja: 'ログインカード' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    const readRecords = async () => {
      const own = await listOwnLogInCardForExport(viewer)
      const lists = await listOwnMemberListImportsForExport(viewer)
      return [
        ...own.map(
          ({ created_at, expires_at, used_at }): DataExportRecord => ({
            data: { created_at, expires_at, used_at },
            heading: t.own,
            time: created_at,
            facts: [used_at ? [t.used, { time: used_at }] : [t.until, { time: expires_at }]],
          }),
        ),
        ...lists.map(
          (list): DataExportRecord => ({ data: list, heading: list.title ?? t.list, time: list.created_at }),
        ),
      ]
    }
    yield {
      path: 'cards',
      title: t.cards,
      layout: 'list',
      pages: () => yieldQueryResultAsSinglePage(readRecords),
    }
  },
}

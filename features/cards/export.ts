import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage } from '#core/feature/exports.ts'
import * as read from './read.ts'

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

/** The card of the member's first log-in, and the lists of new members that the member has imported. */
export const cardExport: ExportSection = {
  title: { en: 'Log-in cards', ja: 'ログインカード' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    const readRecords = async () => {
      const own = await read.ownCard(viewer)
      const lists = await read.ownLists(viewer)
      return [
        ...own.map(
          ({ created_at, expires_at, used_at }): ExportRecord => ({
            data: { created_at, expires_at, used_at },
            heading: t.own,
            time: created_at,
            facts: [used_at ? [t.used, { time: used_at }] : [t.until, { time: expires_at }]],
          }),
        ),
        ...lists.map(
          (list): ExportRecord => ({ data: list, heading: list.title ?? t.list, time: list.created_at }),
        ),
      ]
    }
    yield {
      path: 'cards',
      title: t.cards,
      layout: 'list',
      pages: () => yieldOnePage(readRecords),
    }
  },
}

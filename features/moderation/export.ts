import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import * as moderationNotices from './notices.ts'
import { listOwnReports } from './reports.ts'

const texts = {
  en: { reports: 'Your reports', notices: 'From the moderators' },
  ja: { reports: 'あなたの報告', notices: 'モデレーターからの連絡' },
} satisfies Record<Language, object>

export const exportSection: ExportSection = {
  title: { en: 'Reports', ja: '報告' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield {
      path: 'reports',
      title: t.reports,
      layout: 'list',
      async *pages() {
        for await (const reports of yieldPages((page) => listOwnReports(viewer, page)))
          yield reports.map(
            (report): ExportRecord => ({ data: report, time: report.created_at, text: report.note }),
          )
      },
    }
    yield {
      path: 'moderation-notices',
      title: t.notices,
      layout: 'list',
      async *pages() {
        for await (const notices of yieldPages((page) => moderationNotices.listOwn(viewer, page)))
          yield notices.map(
            (notice): ExportRecord => ({ data: notice, time: notice.created_at, text: notice.note }),
          )
      },
    }
  },
}

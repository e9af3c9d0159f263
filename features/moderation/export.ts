import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldAllPages } from '#core/exports.ts'
import { listOwnNoticesForExport } from './notices.ts'
import { listOwnReports } from './reports.ts'

const texts = {
  en: { reports: 'Your reports', notices: 'From the moderators' },
  ja: { reports: 'あなたの報告', notices: 'モデレーターからのお知らせ' },
} satisfies Record<Language, object>

/** The reports of the member, and what moderators have told the member. */
export const moderationExportSection: ExportSection = {
  title: { en: 'Reports', ja: '報告' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield {
      path: 'reports',
      title: t.reports,
      layout: 'list',
      async *pages() {
        for await (const reports of yieldAllPages((page) => listOwnReports(viewer, page)))
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
        for await (const notices of yieldAllPages((page) => listOwnNoticesForExport(viewer, page)))
          yield notices.map(
            (notice): ExportRecord => ({ data: notice, time: notice.created_at, text: notice.note }),
          )
      },
    }
  },
}

import type { Language } from '#core/contract.ts'
import { type DataExportRecord, type DataExportSection, yieldAllKeysetPages } from '#core/exports.ts'
import { listOwnModerationNoticesForExport } from './notices.ts'
import { listOwnModerationReports } from './reports.ts'

const texts = {
  en: { reports: 'Your reports', notices: 'From the moderators' },
  ja: { reports: 'あなたの報告', notices: 'モデレーターからのお知らせ' },
} satisfies Record<Language, object>

/**
 * The part of a member's data export with the member's reports, and with the notices of moderators to the
 * member.
 */
export const moderationExportSection: DataExportSection = {
  title: { en: 'Reports', ja: '報告' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield {
      path: 'reports',
      title: t.reports,
      layout: 'list',
      async *pages() {
        for await (const reports of yieldAllKeysetPages((page) => listOwnModerationReports(viewer, page)))
          yield reports.map(
            (report): DataExportRecord => ({ data: report, time: report.created_at, text: report.note }),
          )
      },
    }
    yield {
      path: 'moderation-notices',
      title: t.notices,
      layout: 'list',
      async *pages() {
        for await (const notices of yieldAllKeysetPages((page) =>
          listOwnModerationNoticesForExport(viewer, page),
        ))
          yield notices.map(
            (notice): DataExportRecord => ({ data: notice, time: notice.created_at, text: notice.note }),
          )
      },
    }
  },
}

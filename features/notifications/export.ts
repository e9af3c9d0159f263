import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldAllPages } from '#core/exports.ts'
import { describeNotification } from './describe.ts'
import { listNotifications } from './read.ts'

const title = { en: 'Notifications', ja: 'お知らせ' } satisfies Record<Language, string>

/** The notifications of the member. */
export const notificationExportSection: ExportSection = {
  title,
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'notifications',
      title: title[lang],
      layout: 'list',
      async *pages() {
        for await (const notifications of yieldAllPages((page) => listNotifications(viewer, page)))
          yield notifications.map(
            (notification): ExportRecord => ({
              data: notification,
              time: notification.updated_at,
              text: describeNotification(notification, lang),
            }),
          )
      },
    }
  },
}

import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import {
  type DataExportRecord,
  type DataExportSection,
  yieldAllKeysetPages,
  yieldQueryResultAsSinglePage,
} from '#core/exports.ts'
import { describeNotification } from './describe.ts'
import { listNotifications } from './read.ts'
import { readNotificationSettings } from './settings.ts'

const title = { en: 'Notifications', ja: 'お知らせ' } satisfies Record<Language, string>

const settingsTexts = {
  en: { title: 'Notification settings', off: 'Off', quietHours: 'Quiet hours' },
  ja: { title: 'お知らせの設定', off: 'オフ', quietHours: '通知を控える時間' },
} satisfies Record<Language, object>

/**
 * Returns the records of the export that list the kinds of notifications that the member has switched off,
 * and the member's quiet hours.
 */
async function readSettingRecords(viewer: MemberContext, lang: Language): Promise<DataExportRecord[]> {
  const t = settingsTexts[lang]
  const { switches, quiet_hours } = await readNotificationSettings(viewer)
  const off = switches.filter(({ is_on }) => !is_on).map(({ kind, channel }) => ({ kind, channel }))
  const facts: (readonly [string, string])[] = [
    ...off.map(({ kind, channel }) => [t.off, `${kind}, ${channel}`] as const),
    ...(quiet_hours
      ? [[t.quietHours, `${quiet_hours.from}–${quiet_hours.to} ${quiet_hours.time_zone}`] as const]
      : []),
  ]
  return [{ data: { switched_off: off, quiet_hours }, facts }]
}

/** The part of a member's data export with the notifications of the member and the notification settings. */
export const notificationExportSection: DataExportSection = {
  title,
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'notifications',
      title: title[lang],
      layout: 'list',
      async *pages() {
        for await (const notifications of yieldAllKeysetPages((page) => listNotifications(viewer, page)))
          yield notifications.map(
            (notification): DataExportRecord => ({
              data: notification,
              time: notification.updated_at,
              text: describeNotification(notification, lang),
            }),
          )
      },
    }
    yield {
      path: 'notification-settings',
      title: settingsTexts[lang].title,
      layout: 'start',
      pages: () => yieldQueryResultAsSinglePage(() => readSettingRecords(viewer, lang)),
    }
  },
}

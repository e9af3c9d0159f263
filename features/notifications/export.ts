import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage, yieldPages } from '#core/feature/exports.ts'
import { describeNotification } from './describe.ts'
import * as read from './read.ts'
import * as notificationSettings from './settings.ts'

const title = { en: 'Notifications', ja: '通知' } satisfies Record<Language, string>

const settingsTexts = {
  en: { title: 'Notification settings', off: 'Off', quietHours: 'Quiet hours' },
  ja: { title: '通知の設定', off: 'オフ', quietHours: 'おやすみ時間' },
} satisfies Record<Language, object>

async function readSettingRecords(viewer: MemberContext, lang: Language): Promise<ExportRecord[]> {
  const t = settingsTexts[lang]
  const { switches, quiet_hours } = await notificationSettings.get(viewer)
  const off = switches.filter(({ is_on }) => !is_on).map(({ kind, channel }) => ({ kind, channel }))
  const facts: (readonly [string, string])[] = [
    ...off.map(({ kind, channel }) => [t.off, `${kind}, ${channel}`] as const),
    ...(quiet_hours
      ? [[t.quietHours, `${quiet_hours.from}–${quiet_hours.to} ${quiet_hours.time_zone}`] as const]
      : []),
  ]
  return [{ data: { switched_off: off, quiet_hours }, facts }]
}

export const exportSection: ExportSection = {
  title,
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'notifications',
      title: title[lang],
      layout: 'list',
      async *pages() {
        for await (const notifications of yieldPages((page) => read.list(viewer, page)))
          yield notifications.map(
            (notification): ExportRecord => ({
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
      pages: () => yieldOnePage(() => readSettingRecords(viewer, lang)),
    }
  },
}

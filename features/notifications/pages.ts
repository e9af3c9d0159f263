import type { PageDefinition } from '#core/contract.ts'
import { notificationEndpoints } from './contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/notifications',
    view: 'notifications/NotificationsPage',
    title: { en: 'Notifications', ja: 'お知らせ' },
    appShortcutPosition: 30,
    initialData: [notificationEndpoints.list],
  },
  // The page of the notification settings has no `initialData`, because that would add the contract of the
  // settings to the scripts of every page.
  {
    path: '/account/notifications',
    view: 'notifications/NotificationSettingsPage',
    title: { en: 'Notification settings', ja: 'お知らせの設定' },
  },
]

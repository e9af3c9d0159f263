import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/notifications',
    view: 'notifications/NotificationsPage',
    title: { en: 'Notifications', ja: '通知' },
  },
  {
    path: '/account/notifications',
    view: 'notifications/NotificationSettingsPage',
    title: { en: 'Notification settings', ja: '通知の設定' },
  },
] as const satisfies readonly PageDefinition[]

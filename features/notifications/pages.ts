import type { PageDefinition } from '#core/contract.ts'
import { notificationEndpoints } from './contract.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/notifications',
    view: 'notifications/NotificationsPage',
    title: { en: 'Notifications', ja: 'お知らせ' },
    initialData: [notificationEndpoints.list],
  },
]

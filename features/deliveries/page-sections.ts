import type { AddedPageSection } from '#core/contract.ts'

export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/account/notifications', view: 'deliveries/SettingsPageSection' },
  { path: '/notifications', view: 'deliveries/NotificationsPageSection' },
  { path: '/admin/health', view: 'deliveries/HealthPageSection' },
]

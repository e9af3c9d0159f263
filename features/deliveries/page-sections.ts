import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/account/notifications', view: 'deliveries/SettingsPageSection' },
  { path: '/notifications', view: 'deliveries/NotificationsPageSection' },
  { path: '/admin/health', view: 'deliveries/HealthPageSection' },
] as const satisfies readonly AddedPageSection[]

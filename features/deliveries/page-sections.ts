import type { AddedPageSection } from '#core/contract.ts'

export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/account/notifications', view: 'deliveries/DeliveryLinkSettingsPageSection' },
  { path: '/notifications', view: 'deliveries/DeliveryLinkNotificationsPageSection' },
  { path: '/admin/health', view: 'deliveries/DeliveryHealthPageSection' },
]

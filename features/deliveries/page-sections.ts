import type { AddedPageSection } from '#core/contract.ts'

export const sectionsAddedToOtherPages: readonly AddedPageSection[] = [
  { path: '/account/notifications', view: 'deliveries/DeliveryLinkSettingsPageSection' },
  { path: '/notifications', view: 'deliveries/DeliveryLinkNotificationsPageSection' },
  { path: '/admin/health', view: 'deliveries/DeliveryHealthPageSection' },
]

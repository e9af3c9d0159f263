import type { AddedPageSection } from '#core/contract.ts'

export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/posts/:id', view: 'notifications/MarkPostNotificationsReadPageSection' },
]

import type { AddedPageSection } from '#core/contract.ts'

export const sectionsAddedToOtherPages: readonly AddedPageSection[] = [
  { path: '/account/notifications', view: 'digest/DigestPageSection' },
]

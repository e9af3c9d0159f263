import type { AddedPageSection } from '#core/contract.ts'

export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/account/notifications', view: 'digest/DigestPageSection' },
]

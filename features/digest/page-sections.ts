import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/account/notifications', view: 'digest/DigestPageSection' },
] as const satisfies readonly AddedPageSection[]

import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/account', view: 'admin/RetentionPageSection' },
  { path: '/account', view: 'admin/AccountPageSection' },
  { path: '/setup', view: 'admin/SetupPageSection' },
] as const satisfies readonly AddedPageSection[]

import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/admin/dashboard', view: 'groups/AdminPageSection' },
] as const satisfies readonly AddedPageSection[]

import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/admin/dashboard', view: 'albums/AdminPageSection' },
] as const satisfies readonly AddedPageSection[]

import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/admin/dashboard', view: 'albums/AdminPageSection' },
  { path: '/group-chat/:id#menu', view: 'albums/GroupPageSection' },
] as const satisfies readonly AddedPageSection[]

import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/group-chat/:id#menu', view: 'albums/GroupPageSection' },
] as const satisfies readonly AddedPageSection[]

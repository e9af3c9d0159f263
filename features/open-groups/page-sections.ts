import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/my-groups#more', view: 'open-groups/FindLinkPageSection' },
  { path: '/group-chat/:id#menu', view: 'open-groups/MenuPageSection' },
] as const satisfies readonly AddedPageSection[]

import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/posts/:id', view: 'notifications/PostPageSection' },
] as const satisfies readonly AddedPageSection[]

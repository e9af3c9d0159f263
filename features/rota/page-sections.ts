import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/events/:id', view: 'rota/EventPageSection' },
] as const satisfies readonly AddedPageSection[]

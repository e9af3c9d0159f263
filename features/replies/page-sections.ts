import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/posts/:id', view: 'replies/RepliesPageSection' },
] as const satisfies readonly AddedPageSection[]

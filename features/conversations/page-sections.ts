import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/account', view: 'conversations/ReadMarksPageSection' },
] as const satisfies readonly AddedPageSection[]

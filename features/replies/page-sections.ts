import type { AddedPageSection } from '#core/contract.ts'

export const sectionsAddedToOtherPages: readonly AddedPageSection[] = [
  { path: '/posts/:id', view: 'replies/RepliesPageSection' },
]

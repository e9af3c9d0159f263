import type { AddedPageSection, PageDefinition } from '#core/contract.ts'

export const pages: readonly PageDefinition[] = []

// The page includes no replies, because `initialData` would add the contract to the scripts of every page.
export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/posts/:id', view: 'replies/RepliesPageSection' },
]

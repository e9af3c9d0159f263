import type { AddedPageSection, PageDefinition } from '#core/contract.ts'

export const pages: readonly PageDefinition[] = []

export const sectionsOnOtherPages: readonly AddedPageSection[] = [
  { path: '/account', view: 'push/PushPageSection' },
]

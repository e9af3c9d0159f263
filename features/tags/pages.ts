import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/tags/:tag',
    view: 'tags/TagPage',
    title: { en: 'Posts with a tag', ja: 'タグの付いた投稿' },
  },
] as const satisfies readonly PageDefinition[]

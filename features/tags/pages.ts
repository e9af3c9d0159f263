import type { PageDefinition } from '#core/contract.ts'
import { tagEndpoints } from './contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/tags/:tag',
    view: 'tags/TagPage',
    title: { en: 'Posts with a tag', ja: 'タグの付いた投稿' },
    initialData: [tagEndpoints.posts],
  },
]

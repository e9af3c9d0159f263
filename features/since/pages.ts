import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/since',
    view: 'since/SincePage',
    title: { en: 'Since you were here', ja: '前回からの新着' },
  },
] as const satisfies readonly PageDefinition[]

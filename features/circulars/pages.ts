import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  { path: '/circulars', view: 'circulars/Page', title: { en: 'Circulars', ja: '回覧板' } },
] as const satisfies readonly PageDefinition[]

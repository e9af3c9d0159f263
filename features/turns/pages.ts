import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  { path: '/admin/turn', view: 'turns/TurnPage', title: { en: 'The year’s turn', ja: '年度替わり' } },
] as const satisfies readonly PageDefinition[]

import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  { path: '/roll-calls', view: 'roll-calls/RollCallsPage', title: { en: 'Roll calls', ja: '安否確認' } },
  { path: '/roll-calls/:id', view: 'roll-calls/RollCallsPage', title: { en: 'Roll call', ja: '安否確認' } },
] as const satisfies readonly PageDefinition[]

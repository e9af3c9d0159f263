import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  { path: '/guardian', view: 'guardians/GuardiansPage', title: { en: 'Guardians', ja: '見守り' } },
] as const satisfies readonly PageDefinition[]

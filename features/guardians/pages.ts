import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  { path: '/guardian', view: 'guardians/GuardiansPage', title: { en: 'Guardians', ja: '見守り' } },
]

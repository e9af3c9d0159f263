import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/account/deliveries',
    view: 'deliveries/DeliveriesPage',
    title: { en: 'How it reached you', ja: '通知の届きかた' },
  },
] as const satisfies readonly PageDefinition[]

import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/account/deliveries',
    view: 'deliveries/DeliveriesPage',
    title: { en: 'How it reached you', ja: '通知の届きかた' },
  },
]

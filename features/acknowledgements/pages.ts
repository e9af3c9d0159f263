import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/waiting',
    view: 'acknowledgements/WaitingPage',
    title: { en: 'Please read', ja: '確認のお願い' },
  },
] as const satisfies readonly PageDefinition[]

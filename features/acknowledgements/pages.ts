import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/waiting',
    view: 'acknowledgements/WaitingPage',
    title: { en: 'Waiting for you', ja: 'お返事のお願い' },
  },
] as const satisfies readonly PageDefinition[]

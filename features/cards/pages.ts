import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/welcome',
    view: 'cards/WelcomePage',
    title: { en: 'Welcome', ja: 'ようこそ' },
    isForVisitors: true,
  },
]

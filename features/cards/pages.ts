import type { PageDefinition } from '#core/contract.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/welcome',
    view: 'cards/WelcomePage',
    title: { en: 'Welcome', ja: 'ようこそ' },
    isForVisitors: true,
  },
]

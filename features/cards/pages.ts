import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/welcome',
    view: 'cards/WelcomePage',
    title: { en: 'Welcome', ja: 'ようこそ' },
  },
] as const satisfies readonly PageDefinition[]

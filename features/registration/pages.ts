import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/register',
    view: 'registration/RegisterPage',
    title: { en: 'Sign Up', ja: '新規登録' },
  },
  {
    path: '/setup',
    view: 'registration/SetupPage',
    title: { en: 'Set up', ja: '初期設定' },
  },
] as const satisfies readonly PageDefinition[]

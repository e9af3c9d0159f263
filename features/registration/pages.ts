import type { PageDefinition } from '#core/contract.ts'

export const pages: readonly PageDefinition[] = [
  { path: '/register', view: 'registration/RegisterPage', title: { en: 'Sign Up', ja: '新規登録' } },
  { path: '/setup', view: 'registration/SetupPage', title: { en: 'Set up', ja: 'セットアップ' } },
]

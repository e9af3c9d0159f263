import type { PageDefinition } from '#core/contract.ts'
import { registrationEndpoints } from './contract.ts'

export const pages: readonly PageDefinition[] = [
  {
    path: '/register',
    view: 'registration/RegisterPage',
    title: { en: 'Sign Up', ja: '新規登録' },
    initialData: [registrationEndpoints.state],
  },
  { path: '/setup', view: 'registration/SetupPage', title: { en: 'Set up', ja: 'セットアップ' } },
]

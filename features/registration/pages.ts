import type { PageDefinition } from '#core/contract.ts'
import { publicJoinSettingsEndpoint } from './join-state-contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/register',
    view: 'registration/RegisterPage',
    title: { en: 'Sign Up', ja: '新規登録' },
    initialData: [publicJoinSettingsEndpoint],
    isForVisitors: true,
  },
  {
    path: '/setup',
    view: 'registration/SetupPage',
    title: { en: 'Set up', ja: 'セットアップ' },
    isForVisitors: true,
  },
]

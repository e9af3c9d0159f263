import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/user',
    view: 'current-user/CurrentUserPage',
    title: { en: 'Current user', ja: 'ログイン中のメンバー' },
  },
] as const satisfies readonly PageDefinition[]

import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/user',
    view: 'current-user/CurrentUserPage',
    title: { en: 'Current user', ja: '現在のユーザー' },
  },
]

import type { Page } from '#core/contract.ts'

export const pages: readonly Page[] = [
  {
    path: '/user',
    view: 'current-user/UserPage',
    title: { en: 'Current user', ja: '現在のユーザー' },
  },
]

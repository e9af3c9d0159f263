import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/digest/unsubscribe/:token',
    view: 'digest/DigestUnsubscribePage',
    title: { en: 'No more mails', ja: 'メールの停止' },
    isForVisitors: true,
  },
]

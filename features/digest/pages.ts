import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/digest/unsubscribe/:token',
    view: 'digest/DigestUnsubscribePage',
    title: { en: 'No more mails', ja: '新着まとめメールの停止' },
  },
] as const satisfies readonly PageDefinition[]

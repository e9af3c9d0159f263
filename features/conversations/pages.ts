import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/chats',
    view: 'conversations/ListPage',
    title: { en: 'Chats', ja: 'チャット' },
  },
  {
    path: '/chats/unread',
    view: 'conversations/ListPage',
    title: { en: 'Unread', ja: '未読' },
  },
  {
    path: '/users',
    view: 'conversations/ListPage',
    title: { en: 'Direct Message', ja: '個別チャット' },
  },
  {
    path: '/my-groups',
    view: 'conversations/ListPage',
    title: { en: 'Your Groups', ja: 'グループ' },
  },
] as const satisfies readonly PageDefinition[]

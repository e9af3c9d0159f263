import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/privatechat/:id',
    view: 'messages/PrivatePage',
    title: { en: 'Private Chat', ja: '個別チャット' },
  },
  {
    path: '/group-chat/:id',
    view: 'messages/GroupPage',
    title: { en: 'Group Chat', ja: 'グループチャット' },
  },
] as const satisfies readonly PageDefinition[]

import type { PageDefinition } from '#core/contract.ts'
import { definePreloadImageSource } from '#core/preload-image-contract.ts'
import { peopleEndpoints } from '#features/people/contract.ts'
import { privateChatAndMessageEndpoints } from './contract.ts'
import { groupEndpoints } from './group-contract.ts'
import { toPreloadImageOfNewestMessage } from './message-picture-contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/chats',
    view: 'chat/ChatListPage',
    title: { en: 'Chats', ja: 'チャット' },
    appShortcutPosition: 20,
    initialData: [
      privateChatAndMessageEndpoints.conversations,
      groupEndpoints.mine,
      peopleEndpoints.followedUsers,
    ],
  },
  {
    path: '/chats/unread',
    view: 'chat/ChatListPage',
    title: { en: 'Unread', ja: '未読' },
    initialData: [privateChatAndMessageEndpoints.conversations, groupEndpoints.mine],
  },
  {
    path: '/users',
    view: 'chat/ChatListPage',
    title: { en: 'Direct Message', ja: '個別チャット' },
    initialData: [privateChatAndMessageEndpoints.conversations, peopleEndpoints.followedUsers],
  },
  {
    path: '/privatechat/:id',
    view: 'chat/PrivateChatPage',
    title: { en: 'Private Chat', ja: '個別チャット' },
    initialData: [
      privateChatAndMessageEndpoints.privateChat,
      privateChatAndMessageEndpoints.privateMessages,
      privateChatAndMessageEndpoints.conversations,
      groupEndpoints.mine,
      peopleEndpoints.followedUsers,
    ],
    preloadImage: [
      definePreloadImageSource(privateChatAndMessageEndpoints.privateMessages, toPreloadImageOfNewestMessage),
    ],
  },
  {
    path: '/my-groups',
    view: 'chat/ChatListPage',
    title: { en: 'Your Groups', ja: 'グループ' },
    initialData: [groupEndpoints.mine],
  },
  {
    path: '/my-groups/new',
    view: 'chat/CreateGroupPage',
    title: { en: 'Create Group', ja: 'グループ作成' },
    initialData: [peopleEndpoints.users],
  },
  {
    path: '/group-chat/:id',
    view: 'chat/GroupChatPage',
    title: { en: 'Group Chat', ja: 'グループチャット' },
    initialData: [
      groupEndpoints.show,
      privateChatAndMessageEndpoints.groupMessages,
      privateChatAndMessageEndpoints.conversations,
      groupEndpoints.mine,
      peopleEndpoints.followedUsers,
    ],
    preloadImage: [
      definePreloadImageSource(privateChatAndMessageEndpoints.groupMessages, toPreloadImageOfNewestMessage),
    ],
  },
  {
    path: '/admin/creategroup',
    view: 'chat/CreateGroupPage',
    title: { en: 'Create Group', ja: 'グループ作成' },
    initialData: [peopleEndpoints.users],
  },
]

import type { Page, PagePart } from '#core/contract.ts'
import { people } from '#features/people/contract.ts'
import { chat, groups } from './contract.ts'

export const pages: readonly Page[] = [
  {
    path: '/chats',
    view: 'chat/ChatListPage',
    title: { en: 'Chats', ja: 'チャット' },
    first: [chat.conversations, groups.mine, people.followedUsers],
  },
  {
    path: '/chats/unread',
    view: 'chat/ChatListPage',
    title: { en: 'Unread', ja: '未読' },
    first: [chat.conversations, groups.mine],
  },
  {
    path: '/users',
    view: 'chat/ChatListPage',
    title: { en: 'Direct Message', ja: '個別チャット' },
    first: [chat.conversations, people.followedUsers],
  },
  {
    path: '/privatechat/:id',
    view: 'chat/PrivateChatPage',
    title: { en: 'Private Chat', ja: '個別チャット' },
    first: [chat.privateChat, chat.privateMessages, chat.conversations, groups.mine, people.followedUsers],
  },
  {
    path: '/my-groups',
    view: 'chat/ChatListPage',
    title: { en: 'Your Groups', ja: 'グループ' },
    first: [groups.mine],
  },
  {
    path: '/group-chat/:id',
    view: 'chat/GroupChatPage',
    title: { en: 'Group Chat', ja: 'グループチャット' },
    first: [groups.show, chat.groupMessages, chat.conversations, groups.mine, people.followedUsers],
  },
  {
    path: '/admin/creategroup',
    view: 'chat/CreateGroupPage',
    title: { en: 'Create Group', ja: 'グループ作成' },
    first: [people.users],
  },
]

export const pageParts: readonly PagePart[] = [
  { path: '/admin/dashboard', view: 'chat/AdminGroupsPart', first: [groups.all] },
]

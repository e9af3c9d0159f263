import { MessageCircle, MessagesSquare } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import type { WebModule } from '#web/web-modules.ts'
import * as chatState from './state.ts'
import * as chatSync from './sync.ts'

const chatPaths = /^\/(chats|users|privatechat|my-groups|group-chat)(\/|$)/

export default {
  name: 'conversations',
  navigation: [
    {
      positions: { topBar: 50, bottomBar: 20 },
      paths: ['/chats'],
      activePattern: chatPaths,
      label: { en: 'Chat', ja: 'チャット' },
      icon: MessageCircle,
      useBadgeCount: chatState.useUnread,
      items: [
        {
          paths: ['/users'],
          label: { en: 'Private Chat', ja: '個別チャット' },
          icon: MessageCircle,
          useBadgeCount: () => chatState.useUnread('private'),
        },
        {
          paths: ['/my-groups'],
          label: { en: 'Group Chat', ja: 'グループチャット' },
          icon: MessagesSquare,
          useBadgeCount: () => chatState.useUnread('groups'),
        },
      ],
    },
  ],
  shortcuts: [
    {
      order: 50,
      keys: ['g c'],
      description: { en: 'Chat', ja: 'チャット' },
      visibleTo: 'members',
      run: () => navigate('/users'),
    },
    {
      order: 60,
      keys: ['g g'],
      description: { en: 'Your groups', ja: 'グループ' },
      visibleTo: 'members',
      run: () => navigate('/my-groups'),
    },
  ],
  sidebar: {
    label: { en: 'Your chats', ja: 'チャット' },
    Component: lazyWithRetry(() => import('./Sidebar.tsx')),
  },
  useBackgroundWork: chatSync.useSync,
  useBadgeCount: chatState.useUnread,
} satisfies WebModule

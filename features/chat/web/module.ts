import { MessageCircle, MessagesSquare, Plus } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import type { FeatureWebModule } from '#web/web-modules.ts'
import { useUnmutedUnreadMessageCount } from './chat-state.ts'
import { useKeepChatStateUpToDate } from './chat-sync.ts'

const chatPaths = /^\/(chats|users|privatechat|my-groups|group-chat)(\/|$)/

export default {
  name: 'chat',
  navigation: [
    {
      positions: { topBar: 50, bottomBar: 40 },
      paths: ['/chats'],
      activePattern: chatPaths,
      label: { en: 'Chat', ja: 'チャット' },
      icon: MessageCircle,
      useBadgeCount: useUnmutedUnreadMessageCount,
      items: [
        {
          paths: ['/users'],
          label: { en: 'Private Chat', ja: '個別チャット' },
          icon: MessageCircle,
          useBadgeCount: () => useUnmutedUnreadMessageCount('private'),
        },
        {
          paths: ['/my-groups'],
          label: { en: 'Group Chat', ja: 'グループチャット' },
          icon: MessagesSquare,
          useBadgeCount: () => useUnmutedUnreadMessageCount('groups'),
        },
      ],
    },
    {
      positions: { adminActions: 10 },
      paths: ['/admin/creategroup'],
      label: { en: 'Create Group', ja: 'グループ作成' },
      icon: Plus,
      visibleTo: 'admins',
    },
  ],
  withoutFloatingAction: chatPaths,
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
    Component: lazyWithRetry(() => import('./ChatSidebar.tsx')),
  },
  useBackgroundWork: useKeepChatStateUpToDate,
  useBadgeCount: useUnmutedUnreadMessageCount,
  adminStatistics: [{ order: 20, field: 'groups', label: { en: 'Groups', ja: 'グループ' } }],
} satisfies FeatureWebModule

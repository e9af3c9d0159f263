import { MessageCircle, MessagesSquare, Plus } from 'lucide-react'
import { lazy } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { WebModule } from '#web/modules.ts'
import { useUnreadSum } from './chat-state.ts'
import { useChatEvents } from './chat-sync.ts'

const chatPaths = /^\/(chats|users|privatechat|my-groups|group-chat)(\/|$)/

export default {
  name: 'chat',
  navigation: [
    {
      places: { topBar: 50, bottomBar: 40 },
      to: ['/chats'],
      within: chatPaths,
      label: { en: 'Chat', ja: 'チャット' },
      icon: MessageCircle,
      useBadgeCount: useUnreadSum,
      items: [
        {
          to: ['/users'],
          label: { en: 'Private Chat', ja: '個別チャット' },
          icon: MessageCircle,
          useBadgeCount: () => useUnreadSum('private'),
        },
        {
          to: ['/my-groups'],
          label: { en: 'Group Chat', ja: 'グループチャット' },
          icon: MessagesSquare,
          useBadgeCount: () => useUnreadSum('groups'),
        },
      ],
    },
    {
      places: { adminActions: 10 },
      to: ['/admin/creategroup'],
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
      does: { en: 'Chat', ja: 'チャット' },
      visibleTo: 'members',
      run: () => navigate('/users'),
    },
    {
      order: 60,
      keys: ['g g'],
      does: { en: 'Your groups', ja: 'グループ' },
      visibleTo: 'members',
      run: () => navigate('/my-groups'),
    },
  ],
  sidebar: {
    label: { en: 'Your chats', ja: 'チャット' },
    Component: lazy(() => import('./ChatSidebar.tsx')),
  },
  useBackground: useChatEvents,
  useBadgeCount: useUnreadSum,
  adminFigures: [{ order: 20, fact: 'groups', label: { en: 'Groups', ja: 'グループ' } }],
} satisfies WebModule

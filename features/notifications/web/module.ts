import { Bell } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import type { WebModule } from '#web/web-modules.ts'
import { useUnreadCount, useUnreadUpdates } from './unread-count.ts'

export default {
  name: 'notifications',
  navigation: [
    {
      positions: { iconButtons: 10, bottomBar: 40 },
      paths: ['/notifications'],
      label: { en: 'Notifications', ja: '通知' },
      icon: Bell,
      visibleTo: 'members',
      useBadgeCount: useUnreadCount,
    },
  ],
  shortcuts: [
    {
      order: 60,
      keys: ['g n'],
      description: { en: 'Notifications', ja: '通知' },
      visibleTo: 'members',
      run: () => navigate('/notifications'),
    },
  ],
  useBackgroundWork: useUnreadUpdates,
} satisfies WebModule

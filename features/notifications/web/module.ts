import { Bell } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import type { FeatureWebModule } from '#web/web-modules.ts'
import { useUnreadNotificationCount, useUnreadNotificationUpdates } from './unread-count.ts'

export default {
  name: 'notifications',
  navigation: [
    {
      positions: { iconButtons: 10 },
      paths: ['/notifications'],
      label: { en: 'Notifications', ja: 'お知らせ' },
      icon: Bell,
      visibleTo: 'members',
      useBadgeCount: useUnreadNotificationCount,
    },
  ],
  shortcuts: [
    {
      order: 60,
      keys: ['g n'],
      description: { en: 'Notifications', ja: 'お知らせ' },
      visibleTo: 'members',
      run: () => navigate('/notifications'),
    },
  ],
  useBackgroundWork: useUnreadNotificationUpdates,
} satisfies FeatureWebModule

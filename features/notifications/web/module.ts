import { Bell } from 'lucide-react'
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
  useBackgroundWork: useUnreadNotificationUpdates,
} satisfies FeatureWebModule

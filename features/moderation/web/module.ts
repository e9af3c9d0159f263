import { Flag } from 'lucide-react'
import { useWaiting } from '#features/notifications/web/unread-count.ts'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'moderation',
  navigation: [
    {
      positions: { profileMenu: 45 },
      paths: ['/moderation'],
      label: { en: 'Reports', ja: '問題の報告' },
      icon: Flag,
      visibleTo: 'moderators',
      useBadgeCount: () => useWaiting('report'),
    },
  ],
} satisfies WebModule

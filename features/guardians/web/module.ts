import { UsersRound } from 'lucide-react'
import { useWaiting } from '#features/notifications/web/unread-count.ts'
import { useMe } from '#web/me.ts'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'guardians',
  navigation: [
    {
      positions: { profileMenu: 40 },
      paths: ['/guardian'],
      label: { en: 'Guardians', ja: '見守り' },
      icon: UsersRound,
      visibleTo: 'guardians',
      useBadgeCount: () => useWaiting('contact_request') + (useMe()?.guardian_news ? 1 : 0),
    },
  ],
} satisfies WebModule

import { Clock } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'
import { useCountUpdates, useIsWaiting } from './count.ts'

export default {
  name: 'scheduled',
  navigation: [
    {
      positions: { profileMenu: 18 },
      paths: ['/scheduled'],
      label: { en: 'Scheduled', ja: '送信予約' },
      icon: Clock,
      visibleTo: 'members',
      useIsShown: useIsWaiting,
    },
  ],
  useBackgroundWork: useCountUpdates,
} satisfies WebModule

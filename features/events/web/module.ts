import { CalendarDays } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'events',
  navigation: [
    {
      positions: { profileMenu: 16 },
      paths: ['/events'],
      label: { en: 'Events', ja: '予定' },
      icon: CalendarDays,
      visibleTo: 'members',
      activePattern: /^\/events\//,
    },
  ],
} satisfies WebModule

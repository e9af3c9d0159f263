import { CalendarDays } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'turns',
  navigation: [
    {
      positions: { adminActions: 20 },
      paths: ['/admin/turn'],
      label: { en: 'The year’s turn', ja: '年度替わり' },
      icon: CalendarDays,
      visibleTo: 'admins',
    },
  ],
} satisfies WebModule

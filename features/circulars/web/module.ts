import { Newspaper } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'circulars',
  navigation: [
    {
      positions: { profileMenu: 17 },
      paths: ['/circulars'],
      label: { en: 'Circulars', ja: '回覧板' },
      icon: Newspaper,
      visibleTo: 'members',
    },
  ],
} satisfies WebModule

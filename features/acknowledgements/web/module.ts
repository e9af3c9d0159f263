import { Check } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'acknowledgements',
  navigation: [
    {
      positions: { profileMenu: 16 },
      paths: ['/waiting'],
      label: { en: 'Waiting for you', ja: 'お返事のお願い' },
      icon: Check,
      visibleTo: 'members',
    },
  ],
} satisfies WebModule

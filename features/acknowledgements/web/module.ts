import { Check } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'acknowledgements',
  navigation: [
    {
      positions: { profileMenu: 16 },
      paths: ['/waiting'],
      label: { en: 'Please read', ja: '確認のお願い' },
      icon: Check,
      visibleTo: 'members',
    },
  ],
} satisfies WebModule

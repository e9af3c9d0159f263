import { UserRound } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'account',
  navigation: [
    {
      positions: { profileMenu: 20 },
      paths: ['/account'],
      label: { en: 'Account', ja: 'アカウント' },
      icon: UserRound,
      visibleTo: 'members',
    },
  ],
} satisfies WebModule

import { Image } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'albums',
  navigation: [
    {
      positions: { profileMenu: 19 },
      paths: ['/albums'],
      label: { en: 'Albums', ja: 'アルバム' },
      icon: Image,
      visibleTo: 'members',
    },
  ],
} satisfies WebModule

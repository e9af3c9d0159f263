import { ShieldCheck } from 'lucide-react'
import type { FeatureWebModule } from '#web/web-modules.ts'

export default {
  name: 'moderation',
  navigation: [
    {
      positions: { profileMenu: 45 },
      paths: ['/moderation'],
      label: { en: 'Reports', ja: '報告' },
      icon: ShieldCheck,
      visibleTo: 'moderators',
    },
  ],
} satisfies FeatureWebModule

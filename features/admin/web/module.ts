import { ShieldCheck } from 'lucide-react'
import type { WebModule } from '#web/modules.ts'

export default {
  name: 'admin',
  navigation: [
    {
      places: { topBar: 40, profileMenu: 50 },
      to: ['/admin/dashboard'],
      within: /^\/admin\//,
      label: { en: 'Admin', ja: '管理' },
      icon: ShieldCheck,
      visibleTo: 'admins',
    },
  ],
  withoutFloatingAction: /^\/admin/,
} satisfies WebModule

import { ShieldCheck } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'admin',
  navigation: [
    {
      positions: { topBar: 40, profileMenu: 50 },
      paths: ['/admin/dashboard'],
      activePattern: /^\/admin\//,
      label: { en: 'Admin', ja: '管理' },
      icon: ShieldCheck,
      visibleTo: 'admins',
    },
  ],
} satisfies WebModule

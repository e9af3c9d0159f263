import { Plus } from 'lucide-react'
import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'groups',
  navigation: [
    {
      positions: { adminActions: 10 },
      paths: ['/admin/creategroup'],
      label: { en: 'Create Group', ja: 'グループ作成' },
      icon: Plus,
      visibleTo: 'admins',
    },
  ],
  adminStatistics: [{ order: 20, field: 'groups', label: { en: 'Groups', ja: 'グループ' } }],
} satisfies WebModule

import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'current-user',
  samples: [{ to: '/user', label: { en: 'Current user', ja: 'ログイン中のメンバー' } }],
} satisfies WebModule

import type { FeatureWebModule } from '#web/web-modules.ts'

export default {
  name: 'current-user',
  samples: [{ to: '/user', label: { en: 'Current user', ja: '現在のユーザー' } }],
  withoutFloatingAction: /^\/user$/,
} satisfies FeatureWebModule

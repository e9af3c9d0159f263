import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'public-chat',
  samples: [{ to: '/chat', label: { en: 'Public chat', ja: '公開チャット' }, isHiddenFromChildren: true }],
} satisfies WebModule

import type { PageDefinition } from '#core/contract.ts'

export const pages: readonly PageDefinition[] = [
  { path: '/chat', view: 'public-chat/PublicChatPage', title: { en: 'Chat', ja: '公開チャット' } },
]

import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  { path: '/chat', view: 'public-chat/PublicChatPage', title: { en: 'Chat', ja: '公開チャット' } },
] as const satisfies readonly PageDefinition[]

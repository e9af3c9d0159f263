import type { Page } from '#core/contract.ts'

export const pages: readonly Page[] = [
  { path: '/chat', view: 'public-chat/ChatPage', title: { en: 'Chat', ja: '公開チャット' } },
]

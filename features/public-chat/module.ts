import { defineModule } from '#core/module.ts'
import { publicChatChannels, publicChatEndpoints } from './contract.ts'
import { pages } from './pages.ts'
import { publicChatRoutes } from './routes.ts'

export const publicChatModule = defineModule({
  name: 'public-chat',
  isDemo: true,
  pages,
  contracts: { publicChat: publicChatEndpoints },
  channels: publicChatChannels,
  routes: () => ({ publicChat: publicChatRoutes }),
})

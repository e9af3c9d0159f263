import { defineModule } from '#core/module.ts'
import { publicChatChannelDefinitions, publicChatEndpoints } from './contract.ts'
import { pages } from './pages.ts'
import { publicChatHandlers } from './routes.ts'

export const publicChatModule = defineModule({
  name: 'public-chat',
  isDemo: true,
  pages,
  contracts: { publicChat: publicChatEndpoints },
  channels: publicChatChannelDefinitions,
  routes: () => ({ publicChat: publicChatHandlers }),
})

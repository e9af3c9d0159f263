import { defineFeatureModule } from '#core/module.ts'
import { publicChatChannelDefinitions, publicChatEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'
import { publicChatEndpointHandlers } from './routes.ts'

export const publicChatModule = defineFeatureModule({
  name: 'public-chat',
  isDemo: true,
  pages: pageDefinitions,
  contracts: { publicChat: publicChatEndpoints },
  channels: publicChatChannelDefinitions,
  routes: () => ({ publicChat: publicChatEndpointHandlers }),
})

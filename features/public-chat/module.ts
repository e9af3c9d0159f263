import { defineFeatureModule } from '#core/module.ts'
import { publicChatChannelDefinitions, publicChatEndpoints } from './contract.ts'
import { pages } from './pages.ts'
import { publicChatEndpointHandlers } from './routes.ts'

export const publicChatModule = defineFeatureModule({
  name: 'public-chat',
  isDemo: true,
  pages,
  contracts: { publicChat: publicChatEndpoints },
  channels: publicChatChannelDefinitions,
  routes: () => ({ publicChat: publicChatEndpointHandlers }),
})

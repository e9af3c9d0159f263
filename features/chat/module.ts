import { defineModule } from '#core/module.ts'
import { channels, chat, groups } from './contract.ts'
import { chatRoutes, groupRoutes, guards } from './routes.ts'
import { migrations } from './tables.ts'

export const chatModule = defineModule({
  name: 'chat',
  migrations,
  contracts: { chat, groups },
  routes: () => ({ chat: chatRoutes, groups: groupRoutes }),
  channels,
  guards,
})

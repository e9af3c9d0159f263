import { defineModule } from '#core/module.ts'
import { publicChat } from './contract.ts'
import { routes } from './routes.ts'

export const publicChatModule = defineModule({
  name: 'public-chat',
  sample: true,
  contracts: { publicChat },
  routes: () => ({ publicChat: routes }),
})

import { defineModule } from '#core/module.ts'
import { channels, publicChat } from './contract.ts'
import { pages } from './pages.ts'
import { routes } from './routes.ts'

export const publicChatModule = defineModule({
  name: 'public-chat',
  sample: true,
  pages,
  contracts: { publicChat },
  channels,
  routes: () => ({ publicChat: routes }),
})

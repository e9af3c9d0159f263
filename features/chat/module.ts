import { defineModule } from '#core/module.ts'
import { statistics } from './admin.ts'
import { channels, chat, groups } from './contract.ts'
import { pageParts, pages } from './pages.ts'
import { chatRoutes, groupRoutes, guards } from './routes.ts'
import { migrations } from './tables.ts'

export const chatModule = defineModule({
  name: 'chat',
  pages,
  pageParts,
  initialData: [chat.unread],
  statistics,
  migrations,
  contracts: { chat, groups },
  routes: () => ({ chat: chatRoutes, groups: groupRoutes }),
  channels,
  guards,
})

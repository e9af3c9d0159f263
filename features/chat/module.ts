import '#features/people/events.ts'
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
  listeners: {
    // A follow may be what opens a private chat, so the subscriptions of the follower are checked again.
    'follow.deleted': (tx, { follower_id }, { realtime }) =>
      tx.afterCommit(() => realtime.recheck(follower_id)),
  },
})

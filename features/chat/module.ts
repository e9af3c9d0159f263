import '#features/people/events.ts'
import './events.ts'
import { defineModule } from '#core/module.ts'
import { broadcastAccessChanged } from './broadcasts.ts'
import { channels, chat, groups } from './contract.ts'
import { pageParts, pages } from './pages.ts'
import { chatRoutes, groupRoutes, guards, mediaGuards } from './routes.ts'
import { statistics } from './statistics.ts'
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
  mediaGuards,
  listeners: {
    // Checks the subscriptions of both again: the deleted follow may have been the only permission of the
    // follower to open the private chat.
    'follow.deleted': (tx, { follower_id, followed_id }, context) =>
      tx.afterCommit(() => {
        for (const id of [follower_id, followed_id]) context.realtime.recheck(id)
        broadcastAccessChanged(context, follower_id, followed_id)
      }),
  },
})

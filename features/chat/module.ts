import '#features/people/events.ts'
import './events.ts'
import { defineModule } from '#core/module.ts'
import { blockedMessageEndpoints } from './blocked-message-contract.ts'
import { broadcastBlockChange } from './blocks.ts'
import { broadcastChatAccessChange } from './broadcasts.ts'
import { chatChannelDefinitions } from './channel-contract.ts'
import { chatEndpoints, groupEndpoints } from './contract.ts'
import { chatExportSection } from './export.ts'
import { countMessagesAndGroups, removeFromConversations } from './member-deletion.ts'
import { addedPageSections, pages } from './pages.ts'
import {
  blockedMessageRoutes,
  chatRoutes,
  createChannelGuards,
  createMediaGuards,
  groupRoutes,
} from './routes.ts'
import { chatStatistics } from './statistics.ts'
import { migrations } from './tables.ts'

export const chatModule = defineModule({
  name: 'chat',
  pages,
  addedPageSections,
  initialData: [chatEndpoints.unread],
  statistics: chatStatistics,
  countContent: countMessagesAndGroups,
  migrations,
  exportSection: chatExportSection,
  contracts: { chat: chatEndpoints, groups: groupEndpoints, blockedMessages: blockedMessageEndpoints },
  routes: () => ({ chat: chatRoutes, groups: groupRoutes, blockedMessages: blockedMessageRoutes }),
  channels: chatChannelDefinitions,
  guards: createChannelGuards,
  mediaGuards: createMediaGuards,
  listeners: {
    'member.deleted': (tx, event, context) => removeFromConversations(context, tx, event),
    // Rechecks the subscriptions of both people: the deleted follow may have been the only reason why the
    // follower could open the private chat.
    'follow.deleted': (tx, { follower_id, followed_id }, context) =>
      tx.afterCommit(() => {
        for (const id of [follower_id, followed_id]) context.realtime.recheckGuards(id)
        broadcastChatAccessChange(context, follower_id, followed_id)
      }),
    'member.blocked': (tx, block, context) => broadcastBlockChange(context, tx, block),
    'member.unblocked': (tx, block, context) => broadcastBlockChange(context, tx, block),
  },
})

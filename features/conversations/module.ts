import '#features/people/events.ts'
import './events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { broadcastAccess } from './blocks.ts'
import * as broadcasts from './broadcasts.ts'
import { chatChannels, conversationEndpoints, muteEndpoints, readMarkEndpoints } from './contract.ts'
import { listPeers } from './lists.ts'
import { countOfMember, deleteOfMember } from './member-deletion.ts'
import { chatChannelSchemas } from './message-schemas.ts'
import { muteHandlers } from './mutes.ts'
import { readNews } from './news.ts'
import { pageSections } from './page-sections.ts'
import { readMarkHandlers } from './read-mark-sharing.ts'
import { attachmentGuards, channelGuards, conversationHandlers } from './routes.ts'
import { conversationSchemas, muteSchemas, readMarkSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { chatStatistics, fileSizes } from './statistics.ts'
import { chatMigrations } from './tables.ts'

export const conversationsModule = defineFeature({
  name: 'conversations',
  pages: serverPages,
  pageSections,
  initialData: [conversationEndpoints.unread],
  statistics: chatStatistics,
  storedFiles: fileSizes,
  countContent: countOfMember,
  migrations: chatMigrations,
  contracts: {
    conversations: [conversationEndpoints, conversationSchemas],
    conversationMutes: [muteEndpoints, muteSchemas],
    readMarks: [readMarkEndpoints, readMarkSchemas],
  },
  news: readNews,
  routes: (context) => ({
    conversations: conversationHandlers(context),
    conversationMutes: muteHandlers,
    readMarks: readMarkHandlers,
  }),
  channels: [chatChannels, chatChannelSchemas],
  guards: channelGuards,
  mediaGuards: attachmentGuards,
  provides: (context) => ({ presencePeers: (member) => listPeers(context().db, member) }),
  listeners: {
    'member.deleted': (tx, event, context) => deleteOfMember(context, tx, event),
    // The deleted follow may have been the only reason why the follower could open the chat.
    'follow.deleted': (tx, { follower_id, followed_id }, context) =>
      tx.afterCommit(() => {
        for (const id of [follower_id, followed_id]) context.realtime.recheckGuards(id)
        broadcasts.accessChanged(context, follower_id, followed_id)
      }),
    'member.blocked': (tx, block, context) => broadcastAccess(context, tx, block),
    'member.unblocked': (tx, block, context) => broadcastAccess(context, tx, block),
  },
})

import '#features/people/events.ts'
import '#features/registration/events.ts'
import './events.ts'
import { defineFeatureModule } from '#core/module.ts'
import { blockedOrMutedAuthorMessageEndpoints } from './blocked-message-contract.ts'
import { broadcastPrivateChatAccessAfterBlockChange } from './blocks.ts'
import { broadcastPrivateChatAccessChangeToMember } from './broadcasts.ts'
import { chatChannelDefinitions } from './channel-contract.ts'
import { privateChatAndMessageEndpoints } from './contract.ts'
import { conversationMuteAndUnreadEndpoints } from './conversation-mute-contract.ts'
import { conversationMuteAndUnreadEndpointHandlers } from './conversation-mutes.ts'
import { chatExportSection } from './export.ts'
import { groupEndpoints } from './group-contract.ts'
import { groupDescriptionEndpointHandlers, groupOwnerEndpointHandlers } from './group-detail-routes.ts'
import {
  groupDescriptionEndpoints,
  groupOwnerEndpoints,
  groupPictureEndpoints,
  slowModeEndpoints,
} from './group-manager-contract.ts'
import { passGroupsOfOwnerSuspendedWithoutEnd } from './group-owners.ts'
import { createGroupPictureAccessGuards, groupPictureEndpointHandlers } from './group-pictures.ts'
import { addNewMemberToGroupOfInvitation, requireInviterIsGroupMember } from './invitations.ts'
import { countMessagesAndGroupsOfMember, removeDeletedMemberFromConversations } from './member-deletion.ts'
import { chatGroupMembershipQueryBuilders } from './memberships.ts'
import { messageForwardEndpoints } from './message-forward-contract.ts'
import { messageForwardEndpointHandlers } from './message-forwards.ts'
import { messagePinEndpoints } from './message-pin-contract.ts'
import { messagePinEndpointHandlers } from './message-pins.ts'
import { sectionsAddedToOtherPages } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import { listPresencePeerIdsOfMember } from './read-conversations.ts'
import { readMarkEndpoints } from './read-mark-contract.ts'
import { readMarkEndpointHandlers } from './read-mark-sharing.ts'
import { chatRetentionFunctions } from './retention.ts'
import {
  blockedOrMutedAuthorMessageEndpointHandlers,
  createChatChannelGuards,
  createMessageAttachmentAccessGuards,
  createPrivateChatAndMessageEndpointHandlers,
  groupEndpointHandlers,
  slowModeEndpointHandlers,
} from './routes.ts'
import { chatFileStatisticsDefinition, chatStatisticsQueries } from './statistics.ts'
import { chatMigrations } from './tables.ts'

export const chatModule = defineFeatureModule({
  name: 'chat',
  pages: pageDefinitions,
  sectionsAddedToOtherPages,
  initialData: [privateChatAndMessageEndpoints.unread],
  statistics: chatStatisticsQueries,
  storedFiles: chatFileStatisticsDefinition,
  countContent: countMessagesAndGroupsOfMember,
  retention: chatRetentionFunctions,
  migrations: chatMigrations,
  exportSection: chatExportSection,
  contracts: {
    chat: privateChatAndMessageEndpoints,
    groups: groupEndpoints,
    slowMode: slowModeEndpoints,
    conversationMutes: conversationMuteAndUnreadEndpoints,
    groupDescriptions: groupDescriptionEndpoints,
    groupOwners: groupOwnerEndpoints,
    groupPictures: groupPictureEndpoints,
    blockedMessages: blockedOrMutedAuthorMessageEndpoints,
    readMarks: readMarkEndpoints,
    messagePins: messagePinEndpoints,
    messageForwards: messageForwardEndpoints,
  },
  routes: (context) => ({
    chat: createPrivateChatAndMessageEndpointHandlers(context),
    groups: groupEndpointHandlers,
    slowMode: slowModeEndpointHandlers,
    conversationMutes: conversationMuteAndUnreadEndpointHandlers,
    groupDescriptions: groupDescriptionEndpointHandlers,
    groupOwners: groupOwnerEndpointHandlers,
    groupPictures: groupPictureEndpointHandlers,
    blockedMessages: blockedOrMutedAuthorMessageEndpointHandlers,
    readMarks: readMarkEndpointHandlers,
    messagePins: messagePinEndpointHandlers,
    messageForwards: messageForwardEndpointHandlers,
  }),
  channels: chatChannelDefinitions,
  guards: createChatChannelGuards,
  createPresencePeerReader:
    ({ db }) =>
    (member) =>
      listPresencePeerIdsOfMember(db, member),
  mediaGuards: (context) => ({
    ...createMessageAttachmentAccessGuards(context),
    ...createGroupPictureAccessGuards(context),
  }),
  groupMemberships: chatGroupMembershipQueryBuilders,
  listeners: {
    'invitation.group_named': async (tx, event, context) => {
      await requireInviterIsGroupMember(context, tx, event)
    },
    'invitation.used': (tx, event, context) => addNewMemberToGroupOfInvitation(context, tx, event),
    'member.deleted': (tx, event, context) => removeDeletedMemberFromConversations(context, tx, event),
    'member.suspended': (tx, { id }, context) => passGroupsOfOwnerSuspendedWithoutEnd(context, tx, id),
    // Checks again whether both people may stay subscribed to the channel of their private chat, because the
    // deleted follow may have been the only reason why the follower could open the chat.
    'follow.deleted': (tx, { follower_id, followed_id }, context) =>
      tx.afterCommit(() => {
        for (const id of [follower_id, followed_id]) context.realtime.recheckGuards(id)
        broadcastPrivateChatAccessChangeToMember(context, follower_id, followed_id)
      }),
    'member.blocked': (tx, block, context) => broadcastPrivateChatAccessAfterBlockChange(context, tx, block),
    'member.unblocked': (tx, block, context) =>
      broadcastPrivateChatAccessAfterBlockChange(context, tx, block),
  },
})

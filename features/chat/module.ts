import '#features/people/events.ts'
import '#features/registration/events.ts'
import './events.ts'
import { defineModule } from '#core/module.ts'
import { blockedAuthorMessageEndpoints } from './blocked-message-contract.ts'
import { broadcastPrivateChatBlockChange } from './blocks.ts'
import { notifyMemberOfPrivateChatAccessChange } from './broadcasts.ts'
import { chatChannelDefinitions } from './channel-contract.ts'
import { privateChatAndMessageEndpoints } from './contract.ts'
import { conversationMuteEndpoints } from './conversation-mute-contract.ts'
import { conversationMuteHandlers } from './conversation-mutes.ts'
import { chatExportSection } from './export.ts'
import { groupEndpoints } from './group-contract.ts'
import { groupDescriptionHandlers, groupOwnerHandlers } from './group-detail-routes.ts'
import {
  groupDescriptionEndpoints,
  groupOwnerEndpoints,
  groupPictureEndpoints,
  slowModeEndpoints,
} from './group-manager-contract.ts'
import { passGroupsOfOwnerSuspendedWithoutEnd } from './group-owners.ts'
import { createGroupPictureGuards, groupPictureHandlers } from './group-pictures.ts'
import { addNewMemberToGroupOfInvitation, requireInviterIsGroupMember } from './invitations.ts'
import { countMessagesAndGroupsOfMember, removeMemberFromConversations } from './member-deletion.ts'
import { groupMemberships } from './memberships.ts'
import { messageForwardEndpoints } from './message-forward-contract.ts'
import { messageForwardHandlers } from './message-forwards.ts'
import { messagePinEndpoints } from './message-pin-contract.ts'
import { messagePinHandlers } from './message-pins.ts'
import { sectionsOnOtherPages } from './page-sections.ts'
import { pages } from './pages.ts'
import { listPresencePeers } from './read-conversations.ts'
import { readMarkEndpoints } from './read-mark-contract.ts'
import { readMarkHandlers } from './read-mark-sharing.ts'
import { chatRetention } from './retention.ts'
import {
  blockedAuthorMessageHandlers,
  createChatChannelGuards,
  createChatHandlers,
  createChatMediaGuards,
  groupHandlers,
  slowModeHandlers,
} from './routes.ts'
import { chatStatistics, chatStoredFileKind } from './statistics.ts'
import { migrations } from './tables.ts'

export const chatModule = defineModule({
  name: 'chat',
  pages,
  sectionsOnOtherPages,
  initialData: [privateChatAndMessageEndpoints.unread],
  statistics: chatStatistics,
  storedFiles: chatStoredFileKind,
  countContent: countMessagesAndGroupsOfMember,
  retention: chatRetention,
  migrations,
  exportSection: chatExportSection,
  contracts: {
    chat: privateChatAndMessageEndpoints,
    groups: groupEndpoints,
    slowMode: slowModeEndpoints,
    conversationMutes: conversationMuteEndpoints,
    groupDescriptions: groupDescriptionEndpoints,
    groupOwners: groupOwnerEndpoints,
    groupPictures: groupPictureEndpoints,
    blockedMessages: blockedAuthorMessageEndpoints,
    readMarks: readMarkEndpoints,
    messagePins: messagePinEndpoints,
    messageForwards: messageForwardEndpoints,
  },
  routes: (context) => ({
    chat: createChatHandlers(context),
    groups: groupHandlers,
    slowMode: slowModeHandlers,
    conversationMutes: conversationMuteHandlers,
    groupDescriptions: groupDescriptionHandlers,
    groupOwners: groupOwnerHandlers,
    groupPictures: groupPictureHandlers,
    blockedMessages: blockedAuthorMessageHandlers,
    readMarks: readMarkHandlers,
    messagePins: messagePinHandlers,
    messageForwards: messageForwardHandlers,
  }),
  channels: chatChannelDefinitions,
  guards: createChatChannelGuards,
  createPresencePeerReader:
    ({ db }) =>
    (member) =>
      listPresencePeers(db, member),
  mediaGuards: (context) => ({ ...createChatMediaGuards(context), ...createGroupPictureGuards(context) }),
  groupMemberships,
  listeners: {
    'invitation.group_named': async (tx, event, context) => {
      await requireInviterIsGroupMember(context, tx, event)
    },
    'invitation.used': (tx, event, context) => addNewMemberToGroupOfInvitation(context, tx, event),
    'member.deleted': (tx, event, context) => removeMemberFromConversations(context, tx, event),
    'member.suspended': (tx, { id }, context) => passGroupsOfOwnerSuspendedWithoutEnd(context, tx, id),
    // Rechecks the subscriptions of both people: the deleted follow may have been the only reason why the
    // follower could open the private chat.
    'follow.deleted': (tx, { follower_id, followed_id }, context) =>
      tx.afterCommit(() => {
        for (const id of [follower_id, followed_id]) context.realtime.recheckGuards(id)
        notifyMemberOfPrivateChatAccessChange(context, follower_id, followed_id)
      }),
    'member.blocked': (tx, block, context) => broadcastPrivateChatBlockChange(context, tx, block),
    'member.unblocked': (tx, block, context) => broadcastPrivateChatBlockChange(context, tx, block),
  },
})

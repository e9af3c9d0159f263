import { defineEndpoint, idInputSchema } from '#core/contract.ts'
import { groupMessageSchema } from './contract.ts'

/**
 * The endpoint that returns a group message whose author the viewer has blocked or muted. It is defined apart
 * from `privateChatAndMessageEndpoints`, because every page loads those definitions and only groups need this
 * one.
 */
export const blockedOrMutedAuthorMessageEndpoints = {
  /** Returns one message of a group with its content, even if the viewer has blocked or muted its author. */
  show: defineEndpoint('GET /api/chat-messages/:id', 'member', idInputSchema, groupMessageSchema, {
    errorStatuses: [404],
  }),
}

import { defineEndpoint, idInputSchema } from '#core/contract.ts'
import { groupMessageSchema } from './contract.ts'

/**
 * The endpoint for group messages of people whom the viewer has blocked or muted. It is not one of
 * `privateChatAndMessageEndpoints`, because every page loads those and only groups need this one.
 */
export const blockedAuthorMessageEndpoints = {
  /** Returns a message of a group, even if the viewer has blocked or muted its author. */
  show: defineEndpoint('GET /api/chat-messages/:id', 'member', idInputSchema, groupMessageSchema, {
    errorStatuses: [404],
  }),
}

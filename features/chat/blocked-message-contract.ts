import { defineEndpoint, idInputSchema } from '#core/contract.ts'
import { GroupMessage } from './contract.ts'

/** The endpoint is separate from `chatEndpoints`, which every page loads. */
export const blockedMessageEndpoints = {
  /** Returns a message of a group, also of an author whom the viewer has blocked. */
  show: defineEndpoint('GET /api/chat-messages/:id', 'member', idInputSchema, GroupMessage, {
    errorStatuses: [404],
  }),
}

import * as v from 'valibot'
import { createOptionalTextSchema, defineEndpoint, idInputSchema, idSchema } from '#core/contract.ts'

/** The maximum number of chats to which the dialog forwards a message at once. Each chat is one request. */
export const MAX_MESSAGE_FORWARD_TARGETS = 5

export const messageForwardEndpoints = {
  /**
   * Sends a copy of a message to another chat, as a message of the member: to the private chat with
   * `user_id`, or to the group `group_id`. The copy has the text, the pictures and the files, but no quote.
   * `id` in the response is the id of the copy.
   */
  forward: defineEndpoint(
    'POST /api/chat-messages/:id/forward',
    'member',
    v.object({
      ...idInputSchema.entries,
      user_id: v.optional(idSchema),
      group_id: v.optional(idSchema),
      /**
       * An id that the client chooses for the copy, as in the endpoints that send messages: if the client
       * repeats the request with the same id, the server stores the copy only once.
       */
      client_id: createOptionalTextSchema(64),
    }),
    v.object({ status: v.literal('Message sent!'), id: v.number() }),
    { errorStatuses: [403, 404] },
  ),
}

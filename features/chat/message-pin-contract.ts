import * as v from 'valibot'
import { defineEndpoint, idInputSchema, isoTimestampSchema } from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'
import { quotedMessageSchema } from './contract.ts'

/** The maximum number of pinned messages of a group. */
export const MAX_PINNED_MESSAGES_PER_GROUP = 20

/** A pinned message of a group, with the beginning of its text. */
export const pinnedMessageSchema = v.object({
  ...v.omit(quotedMessageSchema, ['is_blocked', 'is_muted', 'deleted_at']).entries,
  pinned_at: isoTimestampSchema,
  /** The member who pinned the message; null if the viewer may not see that member. */
  pinned_by: v.nullable(personSchema),
})
export type PinnedMessage = v.InferOutput<typeof pinnedMessageSchema>

const PinResult = v.object({ pinned: v.boolean() })
const pinOptions = { errorStatuses: [403, 404] } as const

/**
 * The endpoints that list, pin and unpin messages of a group. The owner of the group, and admins who are
 * members of it, pin and unpin messages. All members of the group see the pinned messages.
 */
export const messagePinEndpoints = {
  /** Returns the pinned messages of a group, the one that was pinned last first. */
  list: defineEndpoint('GET /api/groups/:id/pins', 'member', idInputSchema, v.array(pinnedMessageSchema), {
    errorStatuses: [403],
  }),
  pin: defineEndpoint('PUT /api/chat-messages/:id/pin', 'member', idInputSchema, PinResult, pinOptions),
  unpin: defineEndpoint('DELETE /api/chat-messages/:id/pin', 'member', idInputSchema, PinResult, pinOptions),
}

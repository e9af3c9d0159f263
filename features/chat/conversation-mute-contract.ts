import * as v from 'valibot'
import {
  createOptionalTextSchema,
  defineEndpoint,
  idInputSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { conversationUnreadCountResponseSchema } from './contract.ts'

/**
 * The choices for how long a member mutes a conversation: one hour, until 8 o'clock on the next day in the
 * member's time zone (`tomorrow`), or without an end (`always`).
 */
export const conversationMuteDurationChoices = ['hour', 'tomorrow', 'always'] as const
export type ConversationMuteDuration = (typeof conversationMuteDurationChoices)[number]
/** The value of `muted_until` for a mute of a conversation that has no end (the choice `always`). */
export const END_TIME_OF_ENDLESS_CONVERSATION_MUTE = '9999-12-31T23:59:59.999Z'

const MuteInput = v.object({
  ...idInputSchema.entries,
  for: v.picklist(conversationMuteDurationChoices, 'invalid'),
  /**
   * The IANA time zone of the member who mutes the conversation. If it is missing or unknown, the server uses
   * the time zone of the community.
   */
  time_zone: createOptionalTextSchema(64),
})
const MuteResponse = v.object({ muted_until: v.nullable(isoTimestampSchema) })

/**
 * The endpoints with which a member mutes conversations for themselves, or marks messages as unread. Until a
 * mute ends, messages of the conversation still arrive, but they are not counted in badges and not pushed.
 * Notifications about these messages, for example about a mention, are still pushed. Nobody else learns of
 * the mute.
 */
export const conversationMuteAndUnreadEndpoints = {
  mutePrivate: defineEndpoint('PUT /api/conversations/:id/mute', 'member', MuteInput, MuteResponse, {
    errorStatuses: [403, 404],
  }),
  unmutePrivate: defineEndpoint('DELETE /api/conversations/:id/mute', 'member', idInputSchema, MuteResponse, {
    errorStatuses: [403, 404],
  }),
  muteGroup: defineEndpoint('PUT /api/groups/:id/mute', 'member', MuteInput, MuteResponse, {
    errorStatuses: [403],
  }),
  unmuteGroup: defineEndpoint('DELETE /api/groups/:id/mute', 'member', idInputSchema, MuteResponse, {
    errorStatuses: [403],
  }),
  /**
   * Moves the member's own read mark back to before a message, so that the message and all later ones count
   * as unread. The read mark that other members see stays where it is.
   */
  markUnread: defineEndpoint(
    'PUT /api/chat-messages/:id/unread',
    'member',
    idInputSchema,
    conversationUnreadCountResponseSchema,
    {
      errorStatuses: [403, 404],
    },
  ),
}

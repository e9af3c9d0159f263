import * as v from 'valibot'
import {
  createLimitedArraySchema,
  createOptionalTextSchema,
  createPaginationParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  idInputSchema,
  idOrEmptyStringSchema,
  idSchema,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'
import { attachedFileSchema } from '#core/stored-file-contract.ts'
import { personSchema } from '#features/people/contract.ts'
import { attachedImageSchema, MAX_IMAGE_ALT_LENGTH, MAX_POST_IMAGES } from '#features/posts/contract.ts'
import { voiceMessageInputFields } from './voice-contract.ts'

export const MAX_MESSAGE_LENGTH = 1000
/** The maximum number of files that one message can have, not counting pictures. */
export const MAX_NON_PICTURE_FILES_PER_MESSAGE = 5
/**
 * The highest number of unread messages of a conversation that the server returns, even if more are unread.
 * Clients show this number as “99+”.
 */
export const MAX_UNREAD_MESSAGE_COUNT = 100
/**
 * The maximum number of characters of the text in a quote. A longer text of the quoted message is cut off.
 */
export const MAX_QUOTED_TEXT_LENGTH = 160

// ── Schemas of messages and private chats ────────────────────────────────────

/**
 * The message that another message of the same conversation quotes, as the viewer may see it. The text is
 * empty if the quoted message has only pictures or files, or is deleted or hidden, or if it is in a group
 * and the viewer has blocked or muted its author.
 */
export const quotedMessageSchema = v.object({
  id: v.number(),
  user: personSchema,
  /** The first characters of the quoted message's text, at most `MAX_QUOTED_TEXT_LENGTH`. */
  text: v.string(),
  images_count: v.number(),
  /** The number of files of the quoted message, besides pictures; absent if it has none. */
  files_count: v.exactOptional(v.number()),
  deleted_at: v.nullable(isoTimestampSchema),
  /**
   * Present, only in groups, if the viewer has blocked the author of the quoted message. In the same way,
   * `is_muted` is present if the viewer has muted the author. In both cases the quote has no text and no
   * author (`user.id` is 0).
   */
  is_blocked: v.exactOptional(v.literal(true)),
  is_muted: v.exactOptional(v.literal(true)),
  /** Present if the quoted message is a voice message. `files_count` then counts the recording. */
  is_voice: v.exactOptional(v.literal(true)),
})
export type QuotedMessage = v.InferOutput<typeof quotedMessageSchema>

/** The mark that a message was forwarded: it is a copy of a message of another chat. */
export const forwardedMarkSchema = v.object({
  /**
   * The author of the original message. Null if the viewer may not see or has muted this author, or if the
   * author is no longer a member.
   */
  from: v.nullable(personSchema),
})
export type ForwardedMark = v.InferOutput<typeof forwardedMarkSchema>

const messageFields = {
  id: v.number(),
  /**
   * The text of the message. Empty if the message has only pictures or files, is deleted or hidden, or if the
   * viewer gets it without content because of a block or mute (see `is_blocked`).
   */
  message: v.string(),
  created_at: isoTimestampSchema,
  client_id: v.nullable(v.string()),
  images: v.array(attachedImageSchema),
  /** The files of the message that are not pictures; absent if there are none. */
  files: v.exactOptional(v.array(attachedFileSchema)),
  edited_at: v.nullable(isoTimestampSchema),
  deleted_at: v.nullable(isoTimestampSchema),
  /**
   * The number of pictures and files of the message that the server has removed because they were too old;
   * absent if there are none.
   */
  removed_images: v.exactOptional(v.number()),
  /**
   * The message that this message quotes. Absent if this message quotes none, or is deleted or hidden, or if
   * the quoted message was removed or the viewer may not know of the quoted message. Also absent in live
   * events to viewers who have blocked or muted the author of the quoted message.
   */
  quoted: v.exactOptional(quotedMessageSchema),
  /**
   * Present if this message is a copy that its author has forwarded from another chat. Such a message cannot
   * be edited.
   */
  forwarded: v.exactOptional(forwardedMarkSchema),
}
export const privateMessageSchema = v.object({
  ...messageFields,
  from_user_id: v.number(),
  to_user_id: v.number(),
})
export type PrivateMessage = v.InferOutput<typeof privateMessageSchema>
export const groupMessageSchema = v.object({
  ...messageFields,
  group_id: v.number(),
  user_id: v.number(),
  user: personSchema,
  /**
   * Present if the viewer has blocked the author of the message. Such a message has no text, no pictures, no
   * files and no author (`user_id` and `user.id` are 0); `GET /api/chat-messages/:id` returns the whole
   * message.
   */
  is_blocked: v.exactOptional(v.literal(true)),
  /**
   * Present if the viewer has muted the author. As with `is_blocked`, the message then has no text, no
   * pictures, no files and no author.
   */
  is_muted: v.exactOptional(v.literal(true)),
})
export type GroupMessage = v.InferOutput<typeof groupMessageSchema>
/**
 * A message of a group in realtime events. Unlike in `groupMessageSchema`, the ids of the group and of the
 * author are in camel case (`groupId`, `userId`), as in the other events.
 */
export const realtimeGroupMessageSchema = v.object({
  ...messageFields,
  groupId: v.number(),
  userId: v.number(),
  user: personSchema,
})
export type RealtimeGroupMessage = v.InferOutput<typeof realtimeGroupMessageSchema>

/** The newest message of a conversation, as lists of conversations show it. */
export const lastMessageSchema = v.object({
  id: v.number(),
  user_id: v.number(),
  name: v.string(),
  message: v.string(),
  images_count: v.number(),
  /** The number of files of the newest message, besides pictures; absent if it has none. */
  files_count: v.exactOptional(v.number()),
  /** Present if the newest message is a voice message. `files_count` then counts the recording. */
  is_voice: v.exactOptional(v.literal(true)),
  deleted_at: v.nullable(isoTimestampSchema),
  created_at: isoTimestampSchema,
})
export type LastMessage = v.InferOutput<typeof lastMessageSchema>
export const listedPrivateChatSchema = v.object({
  user: personSchema,
  followed: v.boolean(),
  last_message: v.nullable(lastMessageSchema),
})
export type ListedPrivateChat = v.InferOutput<typeof listedPrivateChatSchema>
export const privateChatSchema = v.object({
  user: personSchema,
  followed: v.boolean(),
  /**
   * The id of the newest message that the viewer has read (`last_read_id`), and the id of the newest message
   * that the other person has read (`seen_id`); 0 if there is none. `seen_id` is also 0 if one of the two
   * does not show others what they have read.
   */
  last_read_id: v.number(),
  seen_id: v.number(),
  /** Present if the viewer has muted the other person, whose messages then do not count as unread. */
  is_muted: v.exactOptional(v.literal(true)),
})
export type PrivateChat = v.InferOutput<typeof privateChatSchema>

/**
 * The number of unread messages of each conversation that has any: in `private` by the id of the other
 * person, in `groups` by the id of the group. The number of a group is one higher from the time when somebody
 * adds the member until the member opens the group.
 */
export const conversationUnreadCountsAndMutesSchema = v.object({
  private: v.record(v.string(), v.number()),
  groups: v.record(v.string(), v.number()),
  /**
   * The times at which the mutes of conversations end, for each conversation that the member has muted;
   * absent if there are none.
   */
  muted: v.exactOptional(
    v.object({
      private: v.record(v.string(), isoTimestampSchema),
      groups: v.record(v.string(), isoTimestampSchema),
    }),
  ),
})
export type ConversationUnreadCountsAndMutes = v.InferOutput<typeof conversationUnreadCountsAndMutesSchema>

// ── Endpoints of private chats and messages ──────────────────────────────────

const MessagesInput = v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(50, 200) })
const sendFields = {
  /** The descriptions (alternative texts) of the pictures of the message, in the order of the pictures. */
  alt: v.optional(
    createLimitedArraySchema(createOptionalTextSchema(MAX_IMAGE_ALT_LENGTH), MAX_POST_IMAGES),
    [],
  ),
  /**
   * An id that the client chooses for the new message. If the client sends the message again with the same
   * id, the server stores it only once.
   */
  client_id: createOptionalTextSchema(64),
  /** The id of the message that the new message quotes. Both must be in the same conversation. */
  quotes_id: v.optional(v.nullable(idOrEmptyStringSchema)),
  ...voiceMessageInputFields,
}
const sendOptions = {
  files: {
    images: { max: MAX_POST_IMAGES },
    files: { max: MAX_NON_PICTURE_FILES_PER_MESSAGE, type: 'file' },
  },
  errorStatuses: [403, 404],
} as const
const SentResponse = <M extends v.GenericSchema>(message: M) =>
  v.object({ status: v.literal('Message sent!'), message })
const ReadInput = v.object({ ...idInputSchema.entries, last_read_id: idSchema })
export const conversationUnreadCountResponseSchema = v.object({ unread: v.number() })
const ChangedMessage = v.object({
  id: v.number(),
  message: v.string(),
  edited_at: v.nullable(isoTimestampSchema),
  deleted_at: v.nullable(isoTimestampSchema),
})

export const privateChatAndMessageEndpoints = {
  conversations: defineEndpoint(
    'GET /api/conversations',
    'member',
    v.object(createPaginationParameterFields(100, 500)),
    v.array(listedPrivateChatSchema),
    { paginated: true },
  ),
  privateChat: defineEndpoint('GET /api/conversations/:id', 'member', idInputSchema, privateChatSchema, {
    errorStatuses: [403, 404],
  }),
  readPrivate: defineEndpoint(
    'PUT /api/conversations/:id/read',
    'member',
    ReadInput,
    conversationUnreadCountResponseSchema,
    {
      errorStatuses: [403, 404],
    },
  ),
  privateMessages: defineEndpoint(
    'GET /api/messages/:id',
    'member',
    MessagesInput,
    v.array(privateMessageSchema),
    {
      paginated: true,
      errorStatuses: [403, 404],
    },
  ),
  sendPrivate: defineEndpoint(
    'POST /api/send-private-message',
    'member',
    v.object({ input: createOptionalTextSchema(MAX_MESSAGE_LENGTH), targetUserId: idSchema, ...sendFields }),
    SentResponse(privateMessageSchema),
    sendOptions,
  ),
  groupMessages: defineEndpoint(
    'GET /api/group-messages/:id',
    'member',
    MessagesInput,
    v.array(groupMessageSchema),
    {
      paginated: true,
      errorStatuses: [403],
    },
  ),
  sendGroup: defineEndpoint(
    'POST /api/group-messages/send',
    'member',
    v.object({ message: createOptionalTextSchema(MAX_MESSAGE_LENGTH), group_id: idSchema, ...sendFields }),
    SentResponse(groupMessageSchema),
    sendOptions,
  ),
  edit: defineEndpoint(
    'PUT /api/chat-messages/:id',
    'member',
    v.object({ ...idInputSchema.entries, message: createRequiredTextSchema(MAX_MESSAGE_LENGTH) }),
    ChangedMessage,
    {
      errorStatuses: [403, 404],
    },
  ),
  remove: defineEndpoint('DELETE /api/chat-messages/:id', 'member', idInputSchema, ChangedMessage, {
    errorStatuses: [403, 404],
  }),
  unread: defineEndpoint('GET /api/unread', 'member', noInputSchema, conversationUnreadCountsAndMutesSchema),
}

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
/** The maximum number of files of a message, besides pictures. */
export const MAX_MESSAGE_FILES = 5
/** The highest count of unread messages that the server returns. Clients show it as “99+”. */
export const MAX_UNREAD_MESSAGE_COUNT = 100
/** The maximum number of characters of a quoted text. Longer texts are cut off. */
export const MAX_QUOTED_TEXT_LENGTH = 160

// ── Shapes ──────────────────────────────────────────────────────────────────

/**
 * The message that another message of the same conversation quotes, as the viewer may see it. The text is
 * empty if the quoted message has only pictures or files, or is deleted or hidden, or if it is in a group
 * and the viewer has blocked or muted its author.
 */
export const quotedMessageSchema = v.object({
  id: v.number(),
  user: personSchema,
  /** The first characters of the text, at most `MAX_QUOTED_TEXT_LENGTH`. */
  text: v.string(),
  images_count: v.number(),
  /** The number of files besides pictures; absent if there are none. */
  files_count: v.exactOptional(v.number()),
  deleted_at: v.nullable(isoTimestampSchema),
  /**
   * Only in groups: present if the viewer has blocked the author of the quoted message (`is_muted`: has muted
   * the author). The quote then has no text and no author (`user.id` is 0).
   */
  is_blocked: v.exactOptional(v.literal(true)),
  is_muted: v.exactOptional(v.literal(true)),
  /** Present if the quoted message is a voice message. `files_count` includes the recording. */
  is_voice: v.exactOptional(v.literal(true)),
})
export type QuotedMessage = v.InferOutput<typeof quotedMessageSchema>

/** The mark of a forwarded message, which is a copy of a message of another chat. */
export const forwardedMarkSchema = v.object({
  /**
   * The author of the original. Null if the viewer may not see or has muted that person, or if the person is
   * no longer a member.
   */
  from: v.nullable(personSchema),
})
export type ForwardedMark = v.InferOutput<typeof forwardedMarkSchema>

const messageFields = {
  id: v.number(),
  /**
   * The text of the message. Empty if the message has only pictures or files, is deleted or hidden, or if a
   * note replaces it (see `is_blocked`).
   */
  message: v.string(),
  created_at: isoTimestampSchema,
  client_id: v.nullable(v.string()),
  images: v.array(attachedImageSchema),
  /** The files of the message, besides pictures; absent if there are none. */
  files: v.exactOptional(v.array(attachedFileSchema)),
  edited_at: v.nullable(isoTimestampSchema),
  deleted_at: v.nullable(isoTimestampSchema),
  /** The number of pictures and files that were removed because of their age; absent if there are none. */
  removed_images: v.exactOptional(v.number()),
  /**
   * The message that this message quotes. Absent if this message quotes none, or is deleted or hidden, or
   * if the quoted message was removed or the viewer may not know of it. Also absent in live events to
   * viewers who have blocked or muted the author of the quoted message.
   */
  quoted: v.exactOptional(quotedMessageSchema),
  /** Present if the author has forwarded the message from another chat. Such a message cannot be edited. */
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
   * Present if the viewer has blocked the author. Such a message has no text, no pictures, no files and no
   * author (`user_id` and `user.id` are 0); `GET /api/chat-messages/:id` returns the whole message.
   */
  is_blocked: v.exactOptional(v.literal(true)),
  /** Present if the viewer has muted the author. The message is then reduced in the same way. */
  is_muted: v.exactOptional(v.literal(true)),
})
export type GroupMessage = v.InferOutput<typeof groupMessageSchema>
/**
 * A message of a group in realtime events. The keys are in camel case (`groupId`), as in the other events.
 */
export const realtimeGroupMessageSchema = v.object({
  ...messageFields,
  groupId: v.number(),
  userId: v.number(),
  user: personSchema,
})
export type RealtimeGroupMessage = v.InferOutput<typeof realtimeGroupMessageSchema>

/** The newest message of a conversation, for lists of conversations. */
export const lastMessageSchema = v.object({
  id: v.number(),
  user_id: v.number(),
  name: v.string(),
  message: v.string(),
  images_count: v.number(),
  /** The number of files besides pictures; absent if there are none. */
  files_count: v.exactOptional(v.number()),
  /** Present if the message is a voice message. `files_count` includes the recording. */
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
   * The ids of the newest messages that the viewer (`last_read_id`) and the other person (`seen_id`) have
   * read; 0 if there is none. `seen_id` is also 0 if one of the two does not show others what they have
   * read.
   */
  last_read_id: v.number(),
  seen_id: v.number(),
  /** Present if the viewer has muted the other person. Their messages do not count as unread. */
  is_muted: v.exactOptional(v.literal(true)),
})
export type PrivateChat = v.InferOutput<typeof privateChatSchema>

/**
 * The number of unread messages of each conversation that has any, by the other person's id and by the
 * group's id. The count of a group is one higher from the time when somebody adds the member until the member
 * opens the group.
 */
export const conversationUnreadCountsAndMutesSchema = v.object({
  private: v.record(v.string(), v.number()),
  groups: v.record(v.string(), v.number()),
  /** The conversations that the member has muted, with the ends of the mutes; absent if there are none. */
  muted: v.exactOptional(
    v.object({
      private: v.record(v.string(), isoTimestampSchema),
      groups: v.record(v.string(), isoTimestampSchema),
    }),
  ),
})
export type ConversationUnreadCountsAndMutes = v.InferOutput<typeof conversationUnreadCountsAndMutesSchema>

// ── Endpoints ───────────────────────────────────────────────────────────────────

const MessagesInput = v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(50, 200) })
const sendFields = {
  /** The descriptions of the images, in the order of the images. */
  alt: v.optional(
    createLimitedArraySchema(createOptionalTextSchema(MAX_IMAGE_ALT_LENGTH), MAX_POST_IMAGES),
    [],
  ),
  /**
   * An id that the client chooses. If the client sends a message again with the same id, it is stored only
   * once.
   */
  client_id: createOptionalTextSchema(64),
  /** The id of the message of the same conversation that the new message quotes. */
  quotes_id: v.optional(v.nullable(idOrEmptyStringSchema)),
  ...voiceMessageInputFields,
}
const sendOptions = {
  files: { images: { max: MAX_POST_IMAGES }, files: { max: MAX_MESSAGE_FILES, type: 'file' } },
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

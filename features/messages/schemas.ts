import * as v from 'valibot'
import {
  endpoint,
  extrasSchema,
  idInputSchema,
  idOrEmpty,
  idSchema,
  isoTime,
  limitedArray,
  optionalText,
  pageFields,
  requiredText,
} from '#core/schemas.ts'
import {
  groupMessageSchema,
  privateMessageSchema,
  quotedSchema,
} from '#features/conversations/message-schemas.ts'
import { groupSchema } from '#features/groups/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { MAX_ALT_LENGTH, MAX_POST_IMAGES } from '#features/posts/contract.ts'
import { fileParts, previewFields } from '#features/posts/schemas.ts'
import { voiceFields } from '#features/voice/schemas.ts'
import { MAX_MESSAGE_LENGTH } from './contract.ts'

export const pinnedSchema = v.object({
  ...v.omit(quotedSchema, ['is_blocked', 'is_muted', 'deleted_at']).entries,
  pinned_at: isoTime,
  /** Null if the viewer may not see that member. */
  pinned_by: v.nullable(personSchema),
})
export type PinnedMessage = v.InferOutput<typeof pinnedSchema>

export const groupChatSchema = v.object({
  ...groupSchema.entries,
  /** Last pinned first; absent if there are none. */
  pins: v.exactOptional(v.array(pinnedSchema)),
})
export type GroupChat = v.InferOutput<typeof groupChatSchema>

const MessagesInput = v.object({ ...idInputSchema.entries, ...pageFields(50, 200) })
const sendFields = {
  /** Alternative texts, in the order of the pictures. */
  alt: v.optional(limitedArray(optionalText(MAX_ALT_LENGTH), MAX_POST_IMAGES), []),
  /** Chosen by the client. A repeated request with the same id stores nothing. */
  client_id: optionalText(64),
  /** A message of the same conversation. */
  quotes_id: v.optional(v.nullable(idOrEmpty)),
  ...voiceFields,
  ...previewFields,
  extras: extrasSchema,
}
const sendOptions = {
  files: {
    images: { max: MAX_POST_IMAGES },
    ...fileParts,
  },
  errorStatuses: [403, 404],
} as const
const SentResponse = <M extends v.GenericSchema>(message: M) =>
  v.object({ status: v.literal('Message sent!'), message })
const ChangedMessage = v.object({
  id: v.number(),
  message: v.string(),
  edited_at: v.nullable(isoTime),
  deleted_at: v.nullable(isoTime),
})

export const messageSchemas = {
  groupChat: endpoint('member', idInputSchema, groupChatSchema, {
    errorStatuses: [403],
  }),
  privateMessages: endpoint('member', MessagesInput, v.array(privateMessageSchema), {
    paginated: true,
    errorStatuses: [403, 404],
  }),
  sendPrivate: endpoint(
    'member',
    v.object({ input: optionalText(MAX_MESSAGE_LENGTH), targetUserId: idSchema, ...sendFields }),
    SentResponse(privateMessageSchema),
    sendOptions,
  ),
  groupMessages: endpoint('member', MessagesInput, v.array(groupMessageSchema), {
    paginated: true,
    errorStatuses: [403],
  }),
  sendGroup: endpoint(
    'member',
    v.object({ message: optionalText(MAX_MESSAGE_LENGTH), group_id: idSchema, ...sendFields }),
    SentResponse(groupMessageSchema),
    sendOptions,
  ),
  edit: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, message: requiredText(MAX_MESSAGE_LENGTH) }),
    ChangedMessage,
    {
      errorStatuses: [403, 404],
    },
  ),
  remove: endpoint('member', idInputSchema, ChangedMessage, {
    errorStatuses: [403, 404],
  }),
}

export const blockedSchemas = {
  /** Returns the message with its content, even if the viewer has blocked or muted its author. */
  show: endpoint('member', idInputSchema, groupMessageSchema, {
    errorStatuses: [404],
  }),
}

export const forwardSchemas = {
  /**
   * To the private chat with `user_id`, or the group `group_id`, with text, pictures and files but no quote.
   * `id` in the response is that of the copy.
   */
  forward: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      user_id: v.optional(idSchema),
      group_id: v.optional(idSchema),
      /** Chosen by the client for the copy. A repeated request with the same id stores nothing. */
      client_id: optionalText(64),
    }),
    v.object({ status: v.literal('Message sent!'), id: v.number() }),
    { errorStatuses: [403, 404] },
  ),
}

const PinResult = v.object({ pinned: v.boolean() })
const pinOptions = { errorStatuses: [403, 404] } as const

/** All members of the group see the pins; its owner, and admins who are members, change them. */
export const pinSchemas = {
  /** Last pinned first. */
  list: endpoint('member', idInputSchema, v.array(pinnedSchema), {
    errorStatuses: [403],
  }),
  pin: endpoint('member', idInputSchema, PinResult, pinOptions),
  unpin: endpoint('member', idInputSchema, PinResult, pinOptions),
}

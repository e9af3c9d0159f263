import * as v from 'valibot'
import { channel, isoTime } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { fileSchema, imageSchema } from '#features/posts/schemas.ts'

/**
 * The text is empty if the message has only files, is deleted or hidden, or its author is blocked or muted
 * (groups).
 */
export const quotedSchema = v.object({
  id: v.number(),
  user: personSchema,
  text: v.string(),
  images_count: v.number(),
  /** Besides pictures; absent if there are none. */
  files_count: v.exactOptional(v.number()),
  deleted_at: v.nullable(isoTime),
  /** Groups only, as `is_muted`: the quote then has no text and no author (`user.id` is 0). */
  is_blocked: v.exactOptional(v.literal(true)),
  is_muted: v.exactOptional(v.literal(true)),
  /** `files_count` then counts the recording. */
  is_voice: v.exactOptional(v.literal(true)),
  /** All files are videos. */
  is_video: v.exactOptional(v.literal(true)),
})
export type QuotedMessage = v.InferOutput<typeof quotedSchema>

/** The message is a copy of a message of another chat. */
export const forwardedSchema = v.object({
  /** Author of the original; null for a former member, or if the viewer may not see or has muted them. */
  from: v.nullable(personSchema),
})
export type ForwardedMark = v.InferOutput<typeof forwardedSchema>

const messageFields = {
  id: v.number(),
  /**
   * Empty if there are only files, the message is deleted or hidden, or is listed without content
   * (`is_blocked`).
   */
  message: v.string(),
  created_at: isoTime,
  client_id: v.nullable(v.string()),
  images: v.array(imageSchema),
  /** Besides pictures; absent if there are none. */
  files: v.exactOptional(v.array(fileSchema)),
  edited_at: v.nullable(isoTime),
  deleted_at: v.nullable(isoTime),
  /** Number of pictures and files removed because they were too old; absent if there are none. */
  removed_images: v.exactOptional(v.number()),
  /**
   * Absent also if this message is deleted or hidden, if the quoted one was removed or the viewer may not
   * know of it, and in live events to viewers who have blocked or muted its author.
   */
  quoted: v.exactOptional(quotedSchema),
  /** A forwarded message cannot be edited. */
  forwarded: v.exactOptional(forwardedSchema),
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
   * The viewer has blocked the author: no text, no pictures, no files and no author (`user_id` and `user.id`
   * are 0). `GET /api/chat-messages/:id` returns the whole message.
   */
  is_blocked: v.exactOptional(v.literal(true)),
  /** As `is_blocked`, for an author whom the viewer has muted. */
  is_muted: v.exactOptional(v.literal(true)),
})
export type GroupMessage = v.InferOutput<typeof groupMessageSchema>
/** The ids are in camel case (`groupId`, `userId`), as in the other events. */
export const liveMessageSchema = v.object({
  ...messageFields,
  groupId: v.number(),
  userId: v.number(),
  user: personSchema,
})
export type LiveGroupMessage = v.InferOutput<typeof liveMessageSchema>

/**
 * Shown between the messages. `person` was added (has joined if they are the actor), was removed, left, or is the new owner (kind `owner`);
 * without `actor` the group has passed automatically. Both are null for viewers who may not see them.
 */
export const groupChangeSchema = v.object({
  id: v.number(),
  kind: v.picklist([
    'created',
    'added',
    'removed',
    'left',
    'renamed',
    'deleted',
    'slow_mode',
    'writers_all',
    'writers_chosen',
    'access',
    'owner',
    'description',
    'picture',
    'ended',
    'reopened',
  ]),
  actor: v.nullable(personSchema),
  person: v.nullable(personSchema),
  /** Null unless the change created or renamed the group. */
  name: v.nullable(v.string()),
  /** Seconds between two messages of a member; absent unless slow mode was changed. */
  slow_mode_seconds: v.exactOptional(v.number()),
  /** Live event only; empty if the description was removed. */
  description: v.exactOptional(v.string()),
  /** Live event only: path of the picture, null if it was removed. */
  picture: v.exactOptional(v.nullable(v.string())),
  created_at: isoTime,
})
export type GroupChange = v.InferOutput<typeof groupChangeSchema>

const ReadMark = v.object({ user_id: v.number(), last_read_id: v.number() })
const ReadMarkSharingChanged = v.object({ user_id: v.number(), is_shared: v.boolean() })
/** Messages with smaller ids were removed because they were too old. */
const MessagesRemoved = v.object({ before_id: v.number() })
/** The messages with smaller ids stay; their pictures and files were removed because they were too old. */
const MessageImagesRemoved = v.object({ before_id: v.number() })
const privateEvents = {
  PrivateMessageSent: privateMessageSchema,
  PrivateMessageChanged: privateMessageSchema,
}
const groupEvents = {
  GroupMessageSent: liveMessageSchema,
  GroupMessageChanged: liveMessageSchema,
  GroupChanged: v.object({ groupId: v.number(), change: groupChangeSchema }),
}
export const chatChannelSchemas = {
  privateChat: channel({
    ...privateEvents,
    MessagesRead: ReadMark,
    ReadMarkSharingChanged,
    MessagesRemoved,
    MessageImagesRemoved,
  }),
  group: channel({
    ...groupEvents,
    MessagesRead: ReadMark,
    ReadMarkSharingChanged,
    /** Not sent when a pin ends because its message was deleted or hidden. */
    PinnedMessagesChanged: v.object({ group_id: v.number() }),
    MessagesRemoved,
    MessageImagesRemoved,
  }),
  /** Presence of the members who have the group open. Client events say who is typing. */
  groupPresence: channel({}),
  /** All windows of one member: the events of all their conversations. */
  member: channel({
    ...privateEvents,
    ...groupEvents,
    /** In the private chat with `userId`, or in the group `groupId`. */
    UnreadChanged: v.object({
      userId: v.nullable(v.number()),
      groupId: v.nullable(v.number()),
      unread: v.number(),
    }),
    /** Null if the mute has ended. */
    ConversationMuted: v.object({
      userId: v.nullable(v.number()),
      groupId: v.nullable(v.number()),
      muted_until: v.nullable(isoTime),
    }),
    /** The member may have lost or gained access to the private chat with `userId`. */
    ChatAccessChanged: v.object({ userId: v.number() }),
  }),
}

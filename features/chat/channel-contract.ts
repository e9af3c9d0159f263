import * as v from 'valibot'
import { defineRealtimeChannel, isoTimestampSchema } from '#core/contract.ts'
import { privateMessageSchema, realtimeGroupMessageSchema } from './contract.ts'
import { groupChangeSchema } from './group-contract.ts'

const ReadMark = v.object({ user_id: v.number(), last_read_id: v.number() })
/**
 * The data of the event that tells whether the member `user_id` shows others what they have read
 * (`is_shared`).
 */
const ReadMarkSharingChanged = v.object({ user_id: v.number(), is_shared: v.boolean() })
/**
 * The data of the event that all messages of the conversation with ids smaller than `before_id` were removed
 * because they were too old.
 */
const MessagesRemoved = v.object({ before_id: v.number() })
/**
 * The data of the event that the pictures and files of all messages with ids smaller than `before_id` were
 * removed because they were too old. The messages themselves stay.
 */
const MessageImagesRemoved = v.object({ before_id: v.number() })
const privateEvents = {
  PrivateMessageSent: privateMessageSchema,
  PrivateMessageChanged: privateMessageSchema,
}
const groupEvents = {
  GroupMessageSent: realtimeGroupMessageSchema,
  GroupMessageChanged: realtimeGroupMessageSchema,
  GroupChanged: v.object({ groupId: v.number(), change: groupChangeSchema }),
}
export const chatChannelDefinitions = {
  privateChat: defineRealtimeChannel('private-chat.:smaller.:larger', {
    ...privateEvents,
    MessagesRead: ReadMark,
    ReadMarkSharingChanged,
    MessagesRemoved,
    MessageImagesRemoved,
  }),
  group: defineRealtimeChannel('private-group-chat.:group', {
    ...groupEvents,
    MessagesRead: ReadMark,
    ReadMarkSharingChanged,
    /**
     * The event that a manager of the group has pinned or unpinned a message. It is not sent when a pin ends
     * because its message was deleted or hidden.
     */
    PinnedMessagesChanged: v.object({ group_id: v.number() }),
    MessagesRemoved,
    MessageImagesRemoved,
  }),
  /** The presence channel of the members who have the group open. Its client events say who is typing. */
  groupPresence: defineRealtimeChannel('presence-group-chat.:group', {}),
  /**
   * The presence channel of all windows of one member. It carries the events of all the member's
   * conversations.
   */
  member: defineRealtimeChannel('presence-user.:user', {
    ...privateEvents,
    ...groupEvents,
    /**
     * The event with the number of the member's unread messages in one conversation: in the private chat with
     * `userId`, or in the group `groupId`.
     */
    UnreadChanged: v.object({
      userId: v.nullable(v.number()),
      groupId: v.nullable(v.number()),
      unread: v.number(),
    }),
    /**
     * The event that tells the member until when they have muted a conversation: the private chat with
     * `userId`, or the group `groupId`. `muted_until` is null if the mute has ended.
     */
    ConversationMuted: v.object({
      userId: v.nullable(v.number()),
      groupId: v.nullable(v.number()),
      muted_until: v.nullable(isoTimestampSchema),
    }),
    /**
     * The event that tells the member that they may have lost or gained access to the private chat with
     * `userId`.
     */
    ChatAccessChanged: v.object({ userId: v.number() }),
  }),
}

/**
 * Returns two user ids as `smaller` and `larger`, the two parameters of the name of a private chat's channel.
 */
export const toSmallerAndLargerUserId = (a: number, b: number) => ({
  smaller: Math.min(a, b),
  larger: Math.max(a, b),
})

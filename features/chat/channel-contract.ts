import * as v from 'valibot'
import { defineRealtimeChannel, isoTimestampSchema } from '#core/contract.ts'
import { privateMessageSchema, realtimeGroupMessageSchema } from './contract.ts'
import { groupChangeSchema } from './group-contract.ts'

const ReadMark = v.object({ user_id: v.number(), last_read_id: v.number() })
/** Tells whether the member `user_id` shows others what they have read (`is_shared`) from now on. */
const ReadMarkSharingChanged = v.object({ user_id: v.number(), is_shared: v.boolean() })
/** Tells that all messages with a smaller id than `before_id` were removed because they were too old. */
const MessagesRemoved = v.object({ before_id: v.number() })
/**
 * Tells that the pictures and files of all messages with a smaller id than `before_id` were removed because
 * they were too old. The messages themselves stay.
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
     * A manager has pinned or unpinned a message. The event is not sent if a pin ends because its message was
     * deleted or hidden.
     */
    PinnedMessagesChanged: v.object({ group_id: v.number() }),
    MessagesRemoved,
    MessageImagesRemoved,
  }),
  /**
   * The presence channel of the members who have the group open. It carries client events while they type.
   */
  groupPresence: defineRealtimeChannel('presence-group-chat.:group', {}),
  /** The channel of all windows of one member. It carries the events of all the member's conversations. */
  member: defineRealtimeChannel('presence-user.:user', {
    ...privateEvents,
    ...groupEvents,
    /**
     * Tells the member how many unread messages a conversation has: the private chat with `userId`, or the
     * group with `groupId`.
     */
    UnreadChanged: v.object({
      userId: v.nullable(v.number()),
      groupId: v.nullable(v.number()),
      unread: v.number(),
    }),
    /**
     * Tells the member until when they have muted a conversation: the private chat with `userId`, or the
     * group with `groupId`. `muted_until` is null if the mute has ended.
     */
    ConversationMuted: v.object({
      userId: v.nullable(v.number()),
      groupId: v.nullable(v.number()),
      muted_until: v.nullable(isoTimestampSchema),
    }),
    /** Tells the member that they may have lost or gained access to the private chat with `userId`. */
    ChatAccessChanged: v.object({ userId: v.number() }),
  }),
}

/** Returns two user ids in the order of the channel name: the smaller one first. */
export const toSortedUserIdPair = (a: number, b: number) => ({
  smaller: Math.min(a, b),
  larger: Math.max(a, b),
})

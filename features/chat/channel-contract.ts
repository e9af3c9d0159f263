import * as v from 'valibot'
import { defineChannel } from '#core/contract.ts'
import { GroupChange, GroupMessageEvent, PrivateMessage } from './contract.ts'

const ReadMark = v.object({ user_id: v.number(), last_read_id: v.number() })
const privateEvents = { PrivateMessageSent: PrivateMessage, PrivateMessageChanged: PrivateMessage }
const groupEvents = {
  GroupMessageSent: GroupMessageEvent,
  GroupMessageChanged: GroupMessageEvent,
  GroupChanged: v.object({ groupId: v.number(), change: GroupChange }),
}
export const chatChannelDefinitions = {
  privateChat: defineChannel('private-chat.:smaller.:larger', { ...privateEvents, MessagesRead: ReadMark }),
  group: defineChannel('private-group-chat.:group', { ...groupEvents, MessagesRead: ReadMark }),
  /**
   * The presence channel of the members who have the group open. It carries client events while they type.
   */
  groupPresence: defineChannel('presence-group-chat.:group', {}),
  /** The channel of all windows of one member. It carries the events of all the member's conversations. */
  member: defineChannel('presence-user.:user', {
    ...privateEvents,
    ...groupEvents,
    /** The number of unread messages in the private chat with `userId`, or in the group. */
    UnreadChanged: v.object({
      userId: v.nullable(v.number()),
      groupId: v.nullable(v.number()),
      unread: v.number(),
    }),
    /** The member may have lost access to the private chat with `userId`. */
    ChatAccessChanged: v.object({ userId: v.number() }),
  }),
}

/** Returns two user ids in the order of the channel name: the smaller one first. */
export const toSortedPair = (a: number, b: number) => ({ smaller: Math.min(a, b), larger: Math.max(a, b) })

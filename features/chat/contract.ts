import * as v from 'valibot'
import {
  ById,
  channel,
  endpoint,
  id,
  list,
  MessageResponse,
  name,
  noInput,
  optionalText,
  page,
  text,
  time,
} from '#core/contract.ts'
import { Person } from '#features/people/contract.ts'
import { ALT_LENGTH, Image, MOST_IMAGES } from '#features/posts/contract.ts'

export const MESSAGE_LENGTH = 1000
/** The count of unread messages stops here; clients show “99+” for it. */
export const MOST_UNREAD = 100

// ── Shapes ──────────────────────────────────────────────────────────────────

const shared = {
  id: v.number(),
  /** Empty where the message has only images, and where it is deleted. */
  message: v.string(),
  created_at: time,
  client_id: v.nullable(v.string()),
  images: v.array(Image),
  edited_at: v.nullable(time),
  deleted_at: v.nullable(time),
}
export const PrivateMessage = v.object({ ...shared, from_user_id: v.number(), to_user_id: v.number() })
export type PrivateMessage = v.InferOutput<typeof PrivateMessage>
export const GroupMessage = v.object({ ...shared, group_id: v.number(), user_id: v.number(), user: Person })
export type GroupMessage = v.InferOutput<typeof GroupMessage>
const GroupMessageEvent = v.object({ ...shared, groupId: v.number(), userId: v.number(), user: Person })
export type GroupMessageEvent = v.InferOutput<typeof GroupMessageEvent>

/** A change of a group. `actor` made it; `person` is the member that was added or removed. */
export const GroupChange = v.object({
  id: v.number(),
  kind: v.picklist(['created', 'added', 'removed', 'left', 'renamed', 'deleted']),
  actor: v.nullable(Person),
  person: v.nullable(Person),
  /** The new name, where the change gives the group one. */
  name: v.nullable(v.string()),
  created_at: time,
})
export type GroupChange = v.InferOutput<typeof GroupChange>

/** The newest message of a conversation, for lists of conversations. */
const Last = v.object({
  id: v.number(),
  user_id: v.number(),
  name: v.string(),
  message: v.string(),
  images_count: v.number(),
  deleted_at: v.nullable(time),
  created_at: time,
})
export type Last = v.InferOutput<typeof Last>
export const Conversation = v.object({ user: Person, followed: v.boolean(), last_message: v.nullable(Last) })
export type Conversation = v.InferOutput<typeof Conversation>
export const PrivateChat = v.object({
  user: Person,
  followed: v.boolean(),
  /** The newest message that the viewer has read, and that the other has read; 0 where there is none. */
  last_read_id: v.number(),
  seen_id: v.number(),
})
export type PrivateChat = v.InferOutput<typeof PrivateChat>

const NamedGroup = v.object({ id: v.number(), name: v.string() })
export const MyGroup = v.object({
  ...NamedGroup.entries,
  members_count: v.number(),
  last_message: v.nullable(Last),
  /** The member who added the viewer, and when. */
  added_by: v.nullable(Person),
  added_at: time,
})
export type MyGroup = v.InferOutput<typeof MyGroup>
export const Group = v.object({
  ...NamedGroup.entries,
  members_count: v.number(),
  last_read_id: v.number(),
  /** Somebody added the viewer, who has not opened the group yet. */
  is_new: v.boolean(),
  /** The read marks of the other members, of at most two hundred: the furthest ones. */
  reads: v.array(v.object({ user_id: v.number(), last_read_id: v.number() })),
  /** The newest changes, at most two hundred, oldest first. */
  changes: v.array(GroupChange),
})
export type Group = v.InferOutput<typeof Group>
export const GroupMember = v.object({ ...Person.entries, added_by: v.nullable(Person), added_at: time })
export type GroupMember = v.InferOutput<typeof GroupMember>

/** A group in the list of the admin dashboard. */
export const ListedGroup = v.object({ ...NamedGroup.entries, members_count: v.number(), created_at: time })
export type ListedGroup = v.InferOutput<typeof ListedGroup>

/**
 * The number of unread messages of each conversation that has any, by the other person's id and by the
 * group's id. A group that is new to the member counts as one more.
 */
export const Unread = v.object({
  private: v.record(v.string(), v.number()),
  groups: v.record(v.string(), v.number()),
})
export type Unread = v.InferOutput<typeof Unread>

// ── Endpoints ───────────────────────────────────────────────────────────────────

const Page = v.object({ ...ById.entries, ...page(50, 200) })
const sent = {
  /** Descriptions, in the order of the images. */
  alt: v.optional(list(optionalText(ALT_LENGTH), MOST_IMAGES), []),
  /** Chosen by the client. A message that is sent again with the same id is stored once. */
  client_id: optionalText(64),
}
const sending = { files: { images: { most: MOST_IMAGES } }, refuses: [403, 404] } as const
const Status = <M extends v.GenericSchema>(message: M) =>
  v.object({ status: v.literal('Message sent!'), message })
const Read = v.object({ ...ById.entries, last_read_id: id })
const Remaining = v.object({ unread: v.number() })
const Changed = v.object({
  id: v.number(),
  message: v.string(),
  edited_at: v.nullable(time),
  deleted_at: v.nullable(time),
})

export const chat = {
  conversations: endpoint(
    'GET /api/conversations',
    'member',
    v.object(page(100, 500)),
    v.array(Conversation),
    { paged: true },
  ),
  privateChat: endpoint('GET /api/conversations/:id', 'member', ById, PrivateChat, { refuses: [403, 404] }),
  readPrivate: endpoint('PUT /api/conversations/:id/read', 'member', Read, Remaining, {
    refuses: [403, 404],
  }),
  privateMessages: endpoint('GET /api/messages/:id', 'member', Page, v.array(PrivateMessage), {
    paged: true,
    refuses: [403, 404],
  }),
  sendPrivate: endpoint(
    'POST /api/send-private-message',
    'member',
    v.object({ input: optionalText(MESSAGE_LENGTH), targetUserId: id, ...sent }),
    Status(PrivateMessage),
    sending,
  ),
  groupMessages: endpoint('GET /api/group-messages/:id', 'member', Page, v.array(GroupMessage), {
    paged: true,
    refuses: [403],
  }),
  sendGroup: endpoint(
    'POST /api/group-messages/send',
    'member',
    v.object({ message: optionalText(MESSAGE_LENGTH), group_id: id, ...sent }),
    Status(GroupMessage),
    sending,
  ),
  edit: endpoint(
    'PUT /api/chat-messages/:id',
    'member',
    v.object({ ...ById.entries, message: text(MESSAGE_LENGTH) }),
    Changed,
    {
      refuses: [403, 404],
    },
  ),
  remove: endpoint('DELETE /api/chat-messages/:id', 'member', ById, Changed, { refuses: [403, 404] }),
  unread: endpoint('GET /api/unread', 'member', noInput, Unread),
}

const OneMember = v.object({ ...ById.entries, user: id })
/** 0 opens a group without messages. */
const ReadGroup = v.object({ ...ById.entries, last_read_id: v.union([v.literal(0), id], 'integer') })
const Name = v.object({ name: name(255) })
export const groups = {
  mine: endpoint('GET /api/my-groups', 'member', noInput, v.array(MyGroup)),
  show: endpoint('GET /api/groups/:id', 'member', ById, Group, { refuses: [403] }),
  members: endpoint(
    'GET /api/groups/:id/members',
    'member',
    v.object({ ...ById.entries, ...page(1000, 5000) }),
    v.array(GroupMember),
    {
      paged: true,
      refuses: [403],
    },
  ),
  read: endpoint('PUT /api/groups/:id/read', 'member', ReadGroup, Remaining, { refuses: [403] }),
  all: endpoint('GET /api/admin/groups', 'admin', v.object(page(100, 500)), v.array(ListedGroup), {
    paged: true,
  }),
  leave: endpoint('POST /api/groups/:id/leave', 'member', ById, MessageResponse, { refuses: [403] }),
  create: endpoint('POST /api/groups', 'admin', Name, v.object({ message: v.string(), group: NamedGroup }), {
    status: 201,
  }),
  rename: endpoint(
    'PUT /api/groups/:id',
    'admin',
    v.object({ ...ById.entries, ...Name.entries }),
    MessageResponse,
    { refuses: [404] },
  ),
  remove: endpoint('DELETE /api/groups/:id', 'admin', ById, MessageResponse, { refuses: [404] }),
  addUser: endpoint(
    'POST /api/groups/:id/add-user',
    'admin',
    v.object({ ...ById.entries, user_id: id }),
    MessageResponse,
    { refuses: [404] },
  ),
  removeMember: endpoint('DELETE /api/groups/:id/members/:user', 'admin', OneMember, MessageResponse, {
    refuses: [404],
  }),
}

// ── Channels ────────────────────────────────────────────────────────────────

const ReadTo = v.object({ user_id: v.number(), last_read_id: v.number() })
const inPairs = { PrivateMessageSent: PrivateMessage, PrivateMessageChanged: PrivateMessage }
const inGroups = {
  GroupMessageSent: GroupMessageEvent,
  GroupMessageChanged: GroupMessageEvent,
  GroupChanged: v.object({ groupId: v.number(), change: GroupChange }),
}
export const channels = {
  pair: channel('private-chat.:smaller.:larger', { ...inPairs, MessagesRead: ReadTo }),
  group: channel('private-group-chat.:group', { ...inGroups, MessagesRead: ReadTo }),
  /** The members who have the group open. They send client events here while they type. */
  room: channel('presence-group-chat.:group', {}),
  /** The windows of one member. It carries the events of all their conversations. */
  user: channel('presence-user.:user', {
    ...inPairs,
    ...inGroups,
    /** The number of unread messages in the private chat with `userId`, or in the group. */
    UnreadChanged: v.object({
      userId: v.nullable(v.number()),
      groupId: v.nullable(v.number()),
      unread: v.number(),
    }),
    /** The member may have lost the right to read and write in the private chat with `userId`. */
    ChatAccessChanged: v.object({ userId: v.number() }),
  }),
}

/** The ids of two people, as the channel of their private chat names them. */
export const pairOf = (a: number, b: number) => ({ smaller: Math.min(a, b), larger: Math.max(a, b) })

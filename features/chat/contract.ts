import * as v from 'valibot'
import {
  createLimitedArraySchema,
  createNameSchema,
  createOptionalTextSchema,
  createPageParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  idInputSchema,
  idSchema,
  noInputSchema,
  statusMessageSchema,
  timestampSchema,
} from '#core/contract.ts'
import { Person } from '#features/people/contract.ts'
import { AttachedImage, MAX_ALT_LENGTH, MAX_IMAGES } from '#features/posts/contract.ts'

export const MAX_MESSAGE_LENGTH = 1000
/** The count of unread messages stops here; clients show “99+” for it. */
export const MAX_UNREAD_COUNT = 100

// ── Shapes ──────────────────────────────────────────────────────────────────

const messageFields = {
  id: v.number(),
  /** Empty if the message has only images or is deleted. */
  message: v.string(),
  created_at: timestampSchema,
  client_id: v.nullable(v.string()),
  images: v.array(AttachedImage),
  edited_at: v.nullable(timestampSchema),
  deleted_at: v.nullable(timestampSchema),
}
export const PrivateMessage = v.object({ ...messageFields, from_user_id: v.number(), to_user_id: v.number() })
export type PrivateMessage = v.InferOutput<typeof PrivateMessage>
export const GroupMessage = v.object({
  ...messageFields,
  group_id: v.number(),
  user_id: v.number(),
  user: Person,
  /**
   * Present if the viewer has blocked the author. The message is then a note without text, pictures and
   * author (both ids are 0); `GET /api/chat-messages/:id` returns the message itself.
   */
  is_blocked: v.exactOptional(v.literal(true)),
})
export type GroupMessage = v.InferOutput<typeof GroupMessage>
/** A message of a group as its channel sends it, with the key names of the client's events. */
export const GroupMessageEvent = v.object({
  ...messageFields,
  groupId: v.number(),
  userId: v.number(),
  user: Person,
})
export type GroupMessageEvent = v.InferOutput<typeof GroupMessageEvent>

/** A change of a group. `actor` made the change; `person` is the member who was added or removed. */
export const GroupChange = v.object({
  id: v.number(),
  kind: v.picklist(['created', 'added', 'removed', 'left', 'renamed', 'deleted']),
  actor: v.nullable(Person),
  person: v.nullable(Person),
  /** The new name, if the change gives the group a new one; otherwise null. */
  name: v.nullable(v.string()),
  created_at: timestampSchema,
})
export type GroupChange = v.InferOutput<typeof GroupChange>

/** The newest message of a conversation, for lists of conversations. */
const LastMessage = v.object({
  id: v.number(),
  user_id: v.number(),
  name: v.string(),
  message: v.string(),
  images_count: v.number(),
  deleted_at: v.nullable(timestampSchema),
  created_at: timestampSchema,
})
export type LastMessage = v.InferOutput<typeof LastMessage>
export const ListedPrivateChat = v.object({
  user: Person,
  followed: v.boolean(),
  last_message: v.nullable(LastMessage),
})
export type ListedPrivateChat = v.InferOutput<typeof ListedPrivateChat>
export const PrivateChat = v.object({
  user: Person,
  followed: v.boolean(),
  /**
   * The ids of the newest messages that the viewer (`last_read_id`) and the other person (`seen_id`) have
   * read; 0 if there is none.
   */
  last_read_id: v.number(),
  seen_id: v.number(),
})
export type PrivateChat = v.InferOutput<typeof PrivateChat>

const NamedGroup = v.object({ id: v.number(), name: v.string() })
export const MyGroup = v.object({
  ...NamedGroup.entries,
  members_count: v.number(),
  last_message: v.nullable(LastMessage),
  /** The member who added the viewer, and when. */
  added_by: v.nullable(Person),
  added_at: timestampSchema,
})
export type MyGroup = v.InferOutput<typeof MyGroup>
export const Group = v.object({
  ...NamedGroup.entries,
  members_count: v.number(),
  last_read_id: v.number(),
  /** True if somebody added the viewer and the viewer has not opened the group yet. */
  is_new: v.boolean(),
  /** The read marks of the other members: at most two hundred, the highest ones. */
  reads: v.array(v.object({ user_id: v.number(), last_read_id: v.number() })),
  /** The newest changes, at most two hundred, oldest first. */
  changes: v.array(GroupChange),
})
export type Group = v.InferOutput<typeof Group>
export const GroupMember = v.object({
  ...Person.entries,
  added_by: v.nullable(Person),
  added_at: timestampSchema,
})
export type GroupMember = v.InferOutput<typeof GroupMember>

/** A group in the list of the admin dashboard. */
export const AdminListedGroup = v.object({
  ...NamedGroup.entries,
  members_count: v.number(),
  created_at: timestampSchema,
})
export type AdminListedGroup = v.InferOutput<typeof AdminListedGroup>

/**
 * The number of unread messages of each conversation that has any, by the other person's id and by the
 * group's id. A group that is new to the member counts as one more.
 */
export const UnreadCounts = v.object({
  private: v.record(v.string(), v.number()),
  groups: v.record(v.string(), v.number()),
})
export type UnreadCounts = v.InferOutput<typeof UnreadCounts>

// ── Endpoints ───────────────────────────────────────────────────────────────────

const MessagesInput = v.object({ ...idInputSchema.entries, ...createPageParameterFields(50, 200) })
const sendFields = {
  /** Descriptions, in the order of the images. */
  alt: v.optional(createLimitedArraySchema(createOptionalTextSchema(MAX_ALT_LENGTH), MAX_IMAGES), []),
  /** Chosen by the client. A message that is sent again with the same id is stored once. */
  client_id: createOptionalTextSchema(64),
}
const sendOptions = { files: { images: { max: MAX_IMAGES } }, errorStatuses: [403, 404] } as const
const SentResponse = <M extends v.GenericSchema>(message: M) =>
  v.object({ status: v.literal('Message sent!'), message })
const ReadInput = v.object({ ...idInputSchema.entries, last_read_id: idSchema })
const UnreadResponse = v.object({ unread: v.number() })
const ChangedMessage = v.object({
  id: v.number(),
  message: v.string(),
  edited_at: v.nullable(timestampSchema),
  deleted_at: v.nullable(timestampSchema),
})

export const chatEndpoints = {
  conversations: defineEndpoint(
    'GET /api/conversations',
    'member',
    v.object(createPageParameterFields(100, 500)),
    v.array(ListedPrivateChat),
    { paginated: true },
  ),
  privateChat: defineEndpoint('GET /api/conversations/:id', 'member', idInputSchema, PrivateChat, {
    errorStatuses: [403, 404],
  }),
  readPrivate: defineEndpoint('PUT /api/conversations/:id/read', 'member', ReadInput, UnreadResponse, {
    errorStatuses: [403, 404],
  }),
  privateMessages: defineEndpoint('GET /api/messages/:id', 'member', MessagesInput, v.array(PrivateMessage), {
    paginated: true,
    errorStatuses: [403, 404],
  }),
  sendPrivate: defineEndpoint(
    'POST /api/send-private-message',
    'member',
    v.object({ input: createOptionalTextSchema(MAX_MESSAGE_LENGTH), targetUserId: idSchema, ...sendFields }),
    SentResponse(PrivateMessage),
    sendOptions,
  ),
  groupMessages: defineEndpoint(
    'GET /api/group-messages/:id',
    'member',
    MessagesInput,
    v.array(GroupMessage),
    {
      paginated: true,
      errorStatuses: [403],
    },
  ),
  sendGroup: defineEndpoint(
    'POST /api/group-messages/send',
    'member',
    v.object({ message: createOptionalTextSchema(MAX_MESSAGE_LENGTH), group_id: idSchema, ...sendFields }),
    SentResponse(GroupMessage),
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
  unread: defineEndpoint('GET /api/unread', 'member', noInputSchema, UnreadCounts),
}

const MemberInput = v.object({ ...idInputSchema.entries, user: idSchema })
/** 0 marks a group without messages as opened. */
const ReadGroupInput = v.object({
  ...idInputSchema.entries,
  last_read_id: v.union([v.literal(0), idSchema], 'integer'),
})
const Name = v.object({ name: createNameSchema(255) })
export const groupEndpoints = {
  mine: defineEndpoint('GET /api/my-groups', 'member', noInputSchema, v.array(MyGroup)),
  show: defineEndpoint('GET /api/groups/:id', 'member', idInputSchema, Group, { errorStatuses: [403] }),
  members: defineEndpoint(
    'GET /api/groups/:id/members',
    'member',
    v.object({ ...idInputSchema.entries, ...createPageParameterFields(1000, 5000) }),
    v.array(GroupMember),
    {
      paginated: true,
      errorStatuses: [403],
    },
  ),
  read: defineEndpoint('PUT /api/groups/:id/read', 'member', ReadGroupInput, UnreadResponse, {
    errorStatuses: [403],
  }),
  all: defineEndpoint(
    'GET /api/admin/groups',
    'admin',
    v.object(createPageParameterFields(100, 500)),
    v.array(AdminListedGroup),
    {
      paginated: true,
    },
  ),
  leave: defineEndpoint('POST /api/groups/:id/leave', 'member', idInputSchema, statusMessageSchema, {
    errorStatuses: [403],
  }),
  create: defineEndpoint(
    'POST /api/groups',
    'admin',
    Name,
    v.object({ message: v.string(), group: NamedGroup }),
    {
      status: 201,
    },
  ),
  rename: defineEndpoint(
    'PUT /api/groups/:id',
    'admin',
    v.object({ ...idInputSchema.entries, ...Name.entries }),
    statusMessageSchema,
    { errorStatuses: [404] },
  ),
  remove: defineEndpoint('DELETE /api/groups/:id', 'admin', idInputSchema, statusMessageSchema, {
    errorStatuses: [404],
  }),
  addUser: defineEndpoint(
    'POST /api/groups/:id/add-user',
    'admin',
    v.object({ ...idInputSchema.entries, user_id: idSchema }),
    statusMessageSchema,
    { errorStatuses: [404] },
  ),
  removeMember: defineEndpoint(
    'DELETE /api/groups/:id/members/:user',
    'admin',
    MemberInput,
    statusMessageSchema,
    {
      errorStatuses: [404],
    },
  ),
}

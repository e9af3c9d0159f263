import * as v from 'valibot'
import {
  createNameSchema,
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  idSchema,
  isoTimestampSchema,
  noInputSchema,
  outcomeSentenceResponseSchema,
} from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'
import { conversationUnreadCountResponseSchema, lastMessageSchema } from './contract.ts'
import { pinnedMessageSchema } from './message-pin-contract.ts'

// ── Schemas of groups ────────────────────────────────────────────────────────

/**
 * A change of a group, which members see between the messages of the group. `actor` is the person who made
 * the change. `person` is the member who was added, was removed or left, or the new owner of the group (kind
 * `owner`). A change of the owner has no actor if the group has passed to the new owner automatically.
 * `actor` and `person` are also null for viewers who may not see them.
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
    'owner',
    'description',
    'picture',
  ]),
  actor: v.nullable(personSchema),
  person: v.nullable(personSchema),
  /** The new name of the group, if the change created or renamed it; otherwise null. */
  name: v.nullable(v.string()),
  /**
   * The number of seconds that members now wait between two messages, if slow mode was changed; otherwise
   * absent.
   */
  slow_mode_seconds: v.exactOptional(v.number()),
  /**
   * Present only in the live event of a changed description: the new description of the group, empty if the
   * description was removed.
   */
  description: v.exactOptional(v.string()),
  /**
   * Present only in the live event of a changed picture: the path of the group's new picture, null if the
   * picture was removed.
   */
  picture: v.exactOptional(v.nullable(v.string())),
  created_at: isoTimestampSchema,
})
export type GroupChange = v.InferOutput<typeof groupChangeSchema>

const NamedGroup = v.object({ id: v.number(), name: v.string() })
const ShownGroup = v.object({
  ...NamedGroup.entries,
  /** The path of the group's picture; absent if the group has none. */
  picture: v.exactOptional(v.string()),
})
export const listedJoinedGroupSchema = v.object({
  ...ShownGroup.entries,
  members_count: v.number(),
  last_message: v.nullable(lastMessageSchema),
  /** The member who added the viewer to the group; null if the viewer may not see that member. */
  added_by: v.nullable(personSchema),
  added_at: isoTimestampSchema,
})
export type ListedJoinedGroup = v.InferOutput<typeof listedJoinedGroupSchema>
export const groupSchema = v.object({
  ...ShownGroup.entries,
  members_count: v.number(),
  last_read_id: v.number(),
  /** True if another member added the viewer to the group and the viewer has not opened the group yet. */
  is_new: v.boolean(),
  /**
   * The read marks of other members of the group: for each member the id of the last message that the member
   * has read. Contains at most the two hundred newest marks, and only marks of members who show others what
   * they have read. Empty if the viewer does not show others what they have read.
   */
  reads: v.array(v.object({ user_id: v.number(), last_read_id: v.number() })),
  /** The newest changes of the group (name, members and so on), at most two hundred, oldest first. */
  changes: v.array(groupChangeSchema),
  /** The pinned messages of the group, the one that was pinned last first; absent if there are none. */
  pins: v.exactOptional(v.array(pinnedMessageSchema)),
  /** Present if the viewer owns the group. An owner may change the group as an admin may. */
  is_owner: v.exactOptional(v.literal(true)),
  /** The description of the group: its purpose, in the words of its managers; absent if there is none. */
  description: v.exactOptional(v.string()),
  /** The number of seconds that a member must wait between two messages. Absent while slow mode is off. */
  slow_mode_seconds: v.exactOptional(v.number()),
  /**
   * The number of seconds that slow mode still makes the viewer wait before the next message. Absent if the
   * viewer may send a message now.
   */
  slow_mode_wait: v.exactOptional(v.number()),
})
export type Group = v.InferOutput<typeof groupSchema>
export const groupMemberSchema = v.object({
  ...personSchema.entries,
  added_by: v.nullable(personSchema),
  added_at: isoTimestampSchema,
  /** Present if this member owns the group. */
  is_owner: v.exactOptional(v.literal(true)),
})
export type GroupMember = v.InferOutput<typeof groupMemberSchema>

/** A group in the list of the admin dashboard. */
export const adminListedGroupSchema = v.object({
  ...ShownGroup.entries,
  members_count: v.number(),
  created_at: isoTimestampSchema,
})
export type AdminListedGroup = v.InferOutput<typeof adminListedGroupSchema>

// ── Endpoints of groups ──────────────────────────────────────────────────────

const MemberInput = v.object({ ...idInputSchema.entries, user: idSchema })
/**
 * The input of the request that marks the messages of a group up to the id `last_read_id` as read. The id 0
 * marks a new group without messages as opened.
 */
const ReadGroupInput = v.object({
  ...idInputSchema.entries,
  last_read_id: v.union([v.literal(0), idSchema], 'integer'),
})
const Name = v.object({ name: createNameSchema(255) })
export const groupEndpoints = {
  mine: defineEndpoint('GET /api/my-groups', 'member', noInputSchema, v.array(listedJoinedGroupSchema)),
  show: defineEndpoint('GET /api/groups/:id', 'member', idInputSchema, groupSchema, { errorStatuses: [403] }),
  members: defineEndpoint(
    'GET /api/groups/:id/members',
    'member',
    v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(1000, 5000) }),
    v.array(groupMemberSchema),
    {
      paginated: true,
      errorStatuses: [403],
    },
  ),
  read: defineEndpoint(
    'PUT /api/groups/:id/read',
    'member',
    ReadGroupInput,
    conversationUnreadCountResponseSchema,
    {
      errorStatuses: [403],
    },
  ),
  all: defineEndpoint(
    'GET /api/admin/groups',
    'admin',
    v.object(createPaginationParameterFields(100, 500)),
    v.array(adminListedGroupSchema),
    {
      paginated: true,
    },
  ),
  leave: defineEndpoint(
    'POST /api/groups/:id/leave',
    'member',
    idInputSchema,
    outcomeSentenceResponseSchema,
    {
      errorStatuses: [403],
    },
  ),
  /**
   * Creates a group. This endpoint is for admins, and also for all other members if the setting
   * `who_can_create_groups` is `members`.
   */
  create: defineEndpoint(
    'POST /api/groups',
    'member',
    Name,
    v.object({ message: v.string(), group: NamedGroup }),
    { status: 201, errorStatuses: [403] },
  ),
  // The endpoint `rename` and the endpoints below it are for admins and for the owner of the group.
  rename: defineEndpoint(
    'PUT /api/groups/:id',
    'member',
    v.object({ ...idInputSchema.entries, ...Name.entries }),
    outcomeSentenceResponseSchema,
    { errorStatuses: [403, 404], needsConfirmation: 'others' },
  ),
  remove: defineEndpoint('DELETE /api/groups/:id', 'member', idInputSchema, outcomeSentenceResponseSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  addUser: defineEndpoint(
    'POST /api/groups/:id/add-user',
    'member',
    v.object({ ...idInputSchema.entries, user_id: idSchema }),
    outcomeSentenceResponseSchema,
    { errorStatuses: [403, 404], needsConfirmation: 'others' },
  ),
  removeMember: defineEndpoint(
    'DELETE /api/groups/:id/members/:user',
    'member',
    MemberInput,
    outcomeSentenceResponseSchema,
    {
      errorStatuses: [403, 404],
      needsConfirmation: 'others',
    },
  ),
}

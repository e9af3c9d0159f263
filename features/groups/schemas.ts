import * as v from 'valibot'
import {
  endpoint,
  idInputSchema,
  idSchema,
  isoTime,
  limitedArray,
  optionalText,
  outcomeSchema,
  pageFields,
  shortName,
} from '#core/schemas.ts'
import { groupChangeSchema } from '#features/conversations/message-schemas.ts'
import { namedGroupSchema, shownGroupSchema } from '#features/conversations/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import { MAX_DESCRIPTION, MAX_WRITERS, slowModeChoices } from './contract.ts'

export const groupSchema = v.object({
  ...shownGroupSchema.entries,
  members_count: v.number(),
  last_read_id: v.number(),
  /** Somebody added the viewer, who has not opened the group yet. */
  is_new: v.boolean(),
  /** Newest 200 read marks of others who show them; empty if the viewer hides their own. */
  reads: v.array(v.object({ user_id: v.number(), last_read_id: v.number() })),
  /** Newest 200, oldest first. */
  changes: v.array(groupChangeSchema),
  /** The viewer owns the group, and may change it as an admin may. */
  is_owner: v.exactOptional(v.literal(true)),
  /** Written by the managers of the group; absent if there is none. */
  description: v.exactOptional(v.string()),
  /** Seconds between two messages of a member; absent while slow mode is off. */
  slow_mode_seconds: v.exactOptional(v.number()),
  /** Seconds until the viewer may send again; absent if they may send now. */
  slow_mode_wait: v.exactOptional(v.number()),
  /** Only the owner, admins and chosen members write; absent while all do. */
  chosen_writers: v.exactOptional(v.literal(true)),
  /** The viewer is none of those, or the group has ended. */
  cannot_write: v.exactOptional(v.literal(true)),
  /** Since when nobody writes or joins any more. */
  ended_at: v.exactOptional(isoTime),
})
export type Group = v.InferOutput<typeof groupSchema>
export const groupMemberSchema = v.object({
  ...personSchema.entries,
  reading: v.exactOptional(v.string()),
  added_by: v.nullable(personSchema),
  added_at: isoTime,
  /** Nobody has added them: they have joined an open group. */
  has_joined: v.exactOptional(v.literal(true)),
  is_owner: v.exactOptional(v.literal(true)),
  /** Chosen as one of those who may write. */
  is_writer: v.exactOptional(v.literal(true)),
})
export type GroupMember = v.InferOutput<typeof groupMemberSchema>

export const adminGroupSchema = v.object({
  ...shownGroupSchema.entries,
  members_count: v.number(),
  created_at: isoTime,
  has_ended: v.exactOptional(v.literal(true)),
})
export type AdminGroup = v.InferOutput<typeof adminGroupSchema>

const MemberInput = v.object({ ...idInputSchema.entries, user: idSchema })
const Name = v.object({ name: shortName(255) })
export const groupSchemas = {
  members: endpoint(
    'member',
    v.object({ ...idInputSchema.entries, ...pageFields(1000, 5000) }),
    v.array(groupMemberSchema),
    {
      paginated: true,
      errorStatuses: [403],
    },
  ),
  all: endpoint('admin', v.object(pageFields(100, 500)), v.array(adminGroupSchema), {
    paginated: true,
  }),
  leave: endpoint('member', idInputSchema, outcomeSchema, {
    errorStatuses: [403],
  }),
  /** For admins, and for all members if `who_can_create_groups` is `members`. */
  create: endpoint('member', Name, v.object({ message: v.string(), group: namedGroupSchema }), {
    status: 201,
    errorStatuses: [403],
  }),
  // From here on: for admins and the owner of the group.
  rename: endpoint('member', v.object({ ...idInputSchema.entries, ...Name.entries }), outcomeSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  remove: endpoint('member', idInputSchema, outcomeSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  addUser: endpoint('member', v.object({ ...idInputSchema.entries, user_id: idSchema }), outcomeSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  removeMember: endpoint('member', MemberInput, outcomeSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
}

const Seconds = v.picklist(slowModeChoices, 'invalid')
export type SlowModeSeconds = v.InferOutput<typeof Seconds>

export const slowModeSchemas = {
  /** For admins and the owner of the group. */
  set: endpoint('member', v.object({ ...idInputSchema.entries, seconds: Seconds }), outcomeSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
}

export const writersSchemas = {
  /** For admins and the owner of the group, who always may write. */
  set: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      writers: v.picklist(['all', 'chosen'], 'invalid'),
      add: v.optional(limitedArray(idSchema, MAX_WRITERS), []),
      remove: v.optional(limitedArray(idSchema, MAX_WRITERS), []),
    }),
    outcomeSchema,
    { errorStatuses: [403, 404], needsConfirmation: 'others' },
  ),
}

export const endingSchemas = {
  /** False opens it again. For admins and the owner of the group. */
  set: endpoint('member', v.object({ ...idInputSchema.entries, has_ended: v.boolean() }), outcomeSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
}

export const descriptionSchemas = {
  /** An empty text removes it. For admins and the owner of the group. */
  set: endpoint(
    'member',
    v.object({
      ...idInputSchema.entries,
      description: optionalText(MAX_DESCRIPTION),
    }),
    outcomeSchema,
    { errorStatuses: [403, 404], needsConfirmation: 'others' },
  ),
}

export const ownerSchemas = {
  /** Also for a group without owner. For admins and the owner of the group. */
  set: endpoint('member', v.object({ ...idInputSchema.entries, user_id: idSchema }), outcomeSchema, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
    limits: [{ max: 30, by: 'account' }],
  }),
}

const SavedGroupPicture = v.object({
  /** Path after the change; null if the group has no picture then. */
  picture: v.nullable(v.string()),
})
/** For admins and the owner of the group. */
export const pictureSchemas = {
  /** The server cuts a square from the centre. */
  save: endpoint('member', idInputSchema, SavedGroupPicture, {
    files: { image: { max: 1 } },
    limits: [{ max: 60, by: 'account' }],
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  remove: endpoint('member', idInputSchema, SavedGroupPicture, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
}

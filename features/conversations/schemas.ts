import * as v from 'valibot'
import {
  endpoint,
  idInputSchema,
  idSchema,
  isoTime,
  noInputSchema,
  optionalText,
  pageFields,
} from '#core/schemas.ts'
import { listedUserSchema, personSchema, searchFields } from '#features/people/schemas.ts'
import { muteChoices } from './contract.ts'

export const lastMessageSchema = v.object({
  id: v.number(),
  user_id: v.number(),
  name: v.string(),
  message: v.string(),
  images_count: v.number(),
  /** Besides pictures; absent if there are none. */
  files_count: v.exactOptional(v.number()),
  /** `files_count` then counts the recording. */
  is_voice: v.exactOptional(v.literal(true)),
  /** All files are videos. */
  is_video: v.exactOptional(v.literal(true)),
  deleted_at: v.nullable(isoTime),
  created_at: isoTime,
})
export type LastMessage = v.InferOutput<typeof lastMessageSchema>
export const listedChatSchema = v.object({
  user: personSchema,
  followed: v.boolean(),
  last_message: v.nullable(lastMessageSchema),
})
export type ListedChat = v.InferOutput<typeof listedChatSchema>
export const namedGroupSchema = v.object({ id: v.number(), name: v.string() })
export const shownGroupSchema = v.object({
  ...namedGroupSchema.entries,
  /** Path; absent if there is none. */
  picture: v.exactOptional(v.string()),
})
export const listedGroupSchema = v.object({
  ...shownGroupSchema.entries,
  members_count: v.number(),
  /** Nobody writes or joins any more. */
  has_ended: v.exactOptional(v.literal(true)),
  last_message: v.nullable(lastMessageSchema),
  /** Null if the viewer may not see that member. */
  added_by: v.nullable(personSchema),
  added_at: isoTime,
})
export type ListedGroup = v.InferOutput<typeof listedGroupSchema>
export const privateChatSchema = v.object({
  user: personSchema,
  followed: v.boolean(),
  /**
   * Newest messages that the viewer (`last_read_id`) and the other person (`seen_id`) have read; 0 if none.
   * `seen_id` is also 0 if one of the two hides their read marks.
   */
  last_read_id: v.number(),
  seen_id: v.number(),
  /** The other person is muted; their messages do not count as unread. */
  is_muted: v.exactOptional(v.literal(true)),
  /** The viewer has asked to follow them, and a guardian has to decide. */
  waits: v.exactOptional(v.literal(true)),
})
export type PrivateChat = v.InferOutput<typeof privateChatSchema>

/**
 * Only conversations with unread messages: `private` by the id of the other person, `groups` by that of the
 * group. A group counts one more from when somebody adds the member until the member opens it.
 */
export const unreadCountsSchema = v.object({
  private: v.record(v.string(), v.number()),
  groups: v.record(v.string(), v.number()),
  /** End times of the viewer's mutes; absent if there are none. */
  muted: v.exactOptional(
    v.object({
      private: v.record(v.string(), isoTime),
      groups: v.record(v.string(), isoTime),
    }),
  ),
})
export type UnreadCounts = v.InferOutput<typeof unreadCountsSchema>

const ReadInput = v.object({ ...idInputSchema.entries, last_read_id: idSchema })
/** The id 0 marks a new group without messages as opened. */
const ReadGroupInput = v.object({
  ...idInputSchema.entries,
  last_read_id: v.union([v.literal(0), idSchema], 'integer'),
})
const unreadResponse = v.object({ unread: v.number() })

export const conversationSchemas = {
  privateChats: endpoint('member', v.object(pageFields(100, 500)), v.array(listedChatSchema), {
    paginated: true,
  }),
  groups: endpoint('member', noInputSchema, v.array(listedGroupSchema)),
  groupmates: endpoint('member', v.object(searchFields(100, 500)), v.array(listedUserSchema), {
    paginated: true,
  }),
  privateChat: endpoint('member', idInputSchema, privateChatSchema, {
    errorStatuses: [403, 404],
  }),
  readPrivate: endpoint('member', ReadInput, unreadResponse, {
    errorStatuses: [403, 404],
  }),
  readGroup: endpoint('member', ReadGroupInput, unreadResponse, {
    errorStatuses: [403],
  }),
  unread: endpoint('member', noInputSchema, unreadCountsSchema),
}

const MuteInput = v.object({
  ...idInputSchema.entries,
  for: v.picklist(muteChoices, 'invalid'),
  /** IANA name. If missing or unknown, the time zone of the community counts. */
  time_zone: optionalText(64),
})
const MuteResponse = v.object({ muted_until: v.nullable(isoTime) })

/**
 * Messages of a muted conversation still arrive, but are neither counted in badges nor pushed. Notifications
 * about them, for example of a mention, are still pushed. Nobody else learns of the mute.
 */
export const muteSchemas = {
  mutePrivate: endpoint('member', MuteInput, MuteResponse, {
    errorStatuses: [403, 404],
  }),
  unmutePrivate: endpoint('member', idInputSchema, MuteResponse, {
    errorStatuses: [403, 404],
  }),
  muteGroup: endpoint('member', MuteInput, MuteResponse, {
    errorStatuses: [403],
  }),
  unmuteGroup: endpoint('member', idInputSchema, MuteResponse, {
    errorStatuses: [403],
  }),
  /** Moves the member's own read mark back to before the message. The mark that others see stays. */
  markUnread: endpoint('member', idInputSchema, unreadResponse, {
    errorStatuses: [403, 404],
  }),
}

/** A member who does not show what they have read cannot see what others have read either. */
const ReadMarkSharing = v.object({ is_shared: v.boolean('invalid') })
export type ReadMarkSharing = v.InferOutput<typeof ReadMarkSharing>

const ReadersInput = v.object({ ...idInputSchema.entries, ...pageFields(100, 500) })
const readersOptions = { paginated: true, errorStatuses: [403, 404] } as const

export const readMarkSchemas = {
  /**
   * Members who have read up to a message, or have not; without the viewer, the author, and members who hide
   * their read marks. 403 if the viewer hides their own.
   */
  seenBy: endpoint('member', ReadersInput, v.array(personSchema), readersOptions),
  notSeenBy: endpoint('member', ReadersInput, v.array(personSchema), readersOptions),
  sharing: endpoint('member', noInputSchema, ReadMarkSharing),
  setSharing: endpoint('member', ReadMarkSharing, ReadMarkSharing, {
    limits: [{ max: 20, by: 'account' }],
  }),
}

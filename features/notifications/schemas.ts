import * as v from 'valibot'
import { areHoursNotEmpty, quietHoursFields, timeZoneSchema } from '#core/community/settings-schemas.ts'
import { endpoint, idSchema, isoTime, limitedArray, noInputSchema, pageFields } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'
import {
  eventKinds,
  MAX_SEEN_POSTS,
  type reactionKinds,
  reminderKinds,
  rollCallKinds,
  sharedSwitches,
  taskKinds,
  usesChannel,
} from './contract.ts'
import { conditionSchema } from './server-schemas.ts'

const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 50

/** About what one person does to another. */
export const personalKindSchema = v.picklist([
  'like',
  'reaction',
  'reply_reaction',
  'message_reaction',
  'reply',
  'quote',
  'mention',
  'group_mention',
  'follow',
  'group',
  'first_message',
])

/**
 * `mention`: in a post or in the replies to it. `reply`: to a post of the member, or an answer to the
 * member's reply. `quote`: of a message of the member in a group. `announcement`: everybody is told of a
 * post; it names the author, or, for the author, the admin who pinned it. `read_reminder`: the author of a post
 * asks whether the member has read it; `urgent_reminder` does not wait for the end of quiet hours.
 * `poll_reminder`, `group_poll_reminder`: the member has not answered a poll in a post or group. `event_reminder`:
 * nor whether they come to an event; `event_soon`: it begins in two days; `event_changed`, `event_cancelled`;
 * `event_place`: the member waited and has a place now; `event_offer`: may have one. `server`: the
 * server needs the admin, or no longer does; it names the admin. `new_member`: joined, for admins and for the member who invited them.
 * `new_post`: a member whose posts the member wants to hear of has written some, which are one notification.
 * `contact_allowed`: guardians have allowed a contact that the child asked for; it names the other. A
 * task (`taskKinds`) names its member; it stays unread until the decision is made, and then disappears.
 */
export const kindSchema = v.picklist([
  ...personalKindSchema.options,
  'announcement',
  ...reminderKinds,
  ...eventKinds,
  'server',
  ...taskKinds,
  'new_member',
  'contact_allowed',
  'new_post',
])
export type NotificationKind = v.InferOutput<typeof kindSchema>

/** All actions of others about the same thing of the member, such as all likes of one post. */
export const notificationSchema = v.object({
  id: v.number(),
  kind: kindSchema,
  /** At most `MAX_PEOPLE`, those who acted last first. */
  people: v.array(personSchema),
  /** Like `people`, leaves out people whom the member may not see or has muted. */
  people_count: v.number(),
  /**
   * The post that the notification links to, also if it is about a reply to it. Only for the kinds `like`,
   * `reaction`, `reply_reaction`, `reply`, `mention`, `announcement`, reminders, and `new_post` (the newest).
   */
  post: v.exactOptional(v.object({ id: v.number(), body: v.nullable(v.string()), is_own: v.boolean() })),
  /**
   * The newest reply, the reply with the newest mention (absent if that is in the post), or the member's own.
   * `body` is null if the reply has only pictures.
   */
  reply: v.exactOptional(v.object({ id: v.number(), body: v.nullable(v.string()) })),
  /** The date of an event. Only for `eventKinds`. */
  event_id: v.exactOptional(v.number()),
  /** Only for `group`, `group_request`, `quote`, `group_mention`, `group_poll_reminder` and `message_reaction`. */
  group: v.exactOptional(v.object({ id: v.number(), name: v.string() })),
  /**
   * The newest message that quotes or mentions the member, or for `message_reaction` the member's own. Only for
   * `quote`, `group_mention` and `message_reaction`.
   */
  message_id: v.exactOptional(v.number()),
  /** Null if the message has only pictures or files, or if the member may not read it any more. */
  message_body: v.exactOptional(v.nullable(v.string())),
  /** The most frequent first, at most `MAX_EMOJI`. Only for reactions. */
  emoji: v.exactOptional(v.array(v.string())),
  /** Only for `server`. */
  server: v.exactOptional(v.object({ condition: conditionSchema, is_over: v.boolean() })),
  /** Only for tasks: how many reports, contacts, requests or things wait; 1 for a roll call. */
  waiting: v.exactOptional(v.number()),
  /** Only for `new_post`: the posts that are unread, up to `MAX_NEW_POSTS`; 1 if none is. */
  posts_count: v.exactOptional(v.number()),
  /** Only for `contact_request`. */
  child: v.exactOptional(personSchema),
  /** The newest row of `notification_events`. A later action has a higher id, also in other notifications. */
  last_event_id: v.number(),
  /** The newest action. */
  updated_at: isoTime,
  is_read: v.boolean(),
})
export type Notification = v.InferOutput<typeof notificationSchema>

const UnreadNotifications = v.object({
  /** At most `MAX_UNREAD`, which means that there may be more. */
  count: v.number(),
})

const NewestUnread = v.object({
  ...UnreadNotifications.entries,
  /** As in the notifications of these kinds; of all children together. */
  waiting: v.object({
    report: v.number(),
    contact_request: v.number(),
    join_request: v.number(),
    group_request: v.number(),
    not_sent: v.number(),
    roll_call: v.number(),
    roll_call_drill: v.number(),
    roll_call_help: v.number(),
  }),
  /** 0 if the member has no notifications. */
  last_event_id: v.number(),
})

export const notificationSchemas = {
  /**
   * Newest action first, but tasks are before all others, and on the first page only. `before` is the
   * `last_event_id` of the last one that the page shows.
   */
  list: endpoint('member', v.object(pageFields(PAGE_SIZE, MAX_PAGE_SIZE)), v.array(notificationSchema), {
    paginated: true,
  }),
  unread: endpoint('member', noInputSchema, NewestUnread),
  /** Up to this `last_event_id`, except tasks. Returns the number that is left. */
  markRead: endpoint('member', v.object({ last_event_id: idSchema }), UnreadNotifications),
  /**
   * About the post, the replies on the page, and reactions to the member's own replies on it. Skips one with
   * a higher `last_event_id`: the page does not know its newest action yet. Returns the number that is left.
   */
  markPostRead: endpoint(
    'member',
    v.object({
      post_id: idSchema,
      last_event_id: idSchema,
      /** The oldest that the browser shows; absent if it shows none. */
      first_reply_id: v.optional(idSchema),
      /** The newest that the browser shows; absent if it shows none. */
      last_reply_id: v.optional(idSchema),
    }),
    UnreadNotifications,
  ),
  /**
   * Reads a notification of new posts if all its unread ones are among these, which a list has shown. Returns the
   * number that is left.
   */
  markPostsSeen: endpoint(
    'member',
    v.object({
      posts: limitedArray(idSchema, MAX_SEEN_POSTS, 1),
    }),
    UnreadNotifications,
  ),
}

/** Besides, `server` has no switch, because admins must hear of faults, and roll calls and `not_sent` have none. */
type KindWithoutSwitch =
  | Exclude<(typeof reactionKinds)[number], 'reaction'>
  | Exclude<(typeof reminderKinds)[number], 'read_reminder'>
  | Exclude<(typeof eventKinds)[number], 'event_reminder'>
  | 'server'
  | 'not_sent'
  | 'roll_call_help'
  | (typeof rollCallKinds)[number]
const kindsWithoutSwitch: readonly NotificationKind[] = [
  'server',
  'not_sent',
  'roll_call_help',
  ...sharedSwitches.flatMap(([, ...others]) => others),
  ...rollCallKinds,
]
const hasSwitch = (kind: NotificationKind): kind is Exclude<NotificationKind, KindWithoutSwitch> =>
  !kindsWithoutSwitch.includes(kind)

/** With chat messages. Of kinds that share a switch (`sharedSwitches`), the first. */
export const switchKindSchema = v.picklist(
  ['message' as const, ...kindSchema.options.filter(hasSwitch)],
  'invalid',
)
export type SwitchKind = v.InferOutput<typeof switchKindSchema>

/**
 * `app`: the number at the bell icon and the marks in the list. `mail`: the digest (features/digest), and for
 * tasks a mail of their own.
 */
export const channelSchema = v.picklist(['app', 'push', 'mail'], 'invalid')
export type Channel = v.InferOutput<typeof channelSchema>

const KindSwitch = v.pipe(
  v.object({
    kind: switchKindSchema,
    channel: channelSchema,
    is_on: v.boolean('invalid'),
  }),
  v.check(({ kind, channel }) => usesChannel(kind, channel), 'invalid'),
)
export type KindSwitch = v.InferOutput<typeof KindSwitch>

/** Times of day, with a time zone such as Asia/Tokyo. */
const ZonedQuietHours = v.pipe(
  v.object({ ...quietHoursFields, time_zone: timeZoneSchema }),
  v.check((hours) => areHoursNotEmpty(hours), 'invalid'),
)

const NotificationSettings = v.object({
  /** For each kind and each channel that it uses. One that was never changed is as `isOffAtFirst` says. */
  switches: v.array(KindSwitch),
  /** Null for none. */
  quiet_hours: v.nullable(ZonedQuietHours),
  /** Apply in addition to the member's own; null for none. */
  community_quiet_hours: v.nullable(ZonedQuietHours),
})
export type NotificationSettings = v.InferOutput<typeof NotificationSettings>

export const settingSchemas = {
  get: endpoint('member', noInputSchema, NotificationSettings),
  /** Absent fields change nothing. */
  save: endpoint(
    'member',
    v.object({
      switch: v.optional(KindSwitch),
      quiet_hours: v.optional(v.nullable(ZonedQuietHours)),
    }),
    NotificationSettings,
  ),
}

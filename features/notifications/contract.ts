import { endpoints } from '#core/contract.ts'
import type { Channel, NotificationKind, notificationSchemas, SwitchKind, settingSchemas } from './schemas.ts'

export type {
  Channel,
  KindSwitch,
  Notification,
  NotificationKind,
  NotificationSettings,
  SwitchKind,
} from './schemas.ts'

export const MAX_PEOPLE = 3
export const MAX_EMOJI = 5
/** The server counts no further. */
export const MAX_UNREAD = 100
/** In one call. */
export const MAX_SEEN_POSTS = 200
/** Of one person, in one notification: older ones are forgotten. */
export const MAX_NEW_POSTS = 50
/** A drill is a kind of its own: it waits for the end of quiet hours, and a roll call does not. */
export const rollCallKinds = ['roll_call', 'roll_call_drill'] as const
/**
 * Something waits for the member: a report, a contact of a child, a request to join the community or a group,
 * a roll call to answer, people in one of theirs who need help, something of their own that could not be sent at
 * its time.
 */
export const taskKinds = [
  ...(['report', 'contact_request', 'join_request', 'group_request', 'not_sent'] as const),
  ...rollCallKinds,
  'roll_call_help',
] as const
export type TaskKind = (typeof taskKinds)[number]
/** Have a mail of their own at once, and so are not in the digest. */
export const instantKinds: readonly NotificationKind[] = [
  'server',
  'event_reminder',
  ...taskKinds.filter((kind) => !['not_sent', 'group_request', 'roll_call_help'].includes(kind)),
]

export const notificationEndpoints = endpoints<typeof notificationSchemas>({
  list: 'GET /api/notifications',
  unread: 'GET /api/notifications/unread',
  markRead: 'POST /api/notifications/read',
  markPostRead: 'POST /api/notifications/read-about',
  markPostsSeen: 'POST /api/notifications/seen-posts',
})

/**
 * In the member's own channel (`presence-user.ID`): windows load the unread number again. `is_only_read`:
 * nothing new has happened, the member has only read.
 */
export const CHANGED_EVENT = 'NotificationsChanged'

/** They share one switch, with the name of the first kind. */
export const reactionKinds = [
  'reaction',
  'reply_reaction',
  'message_reaction',
] as const satisfies NotificationKind[]

/** About a date of an event, which their `source_id` names. They share one switch, with the name of the first. */
export const eventKinds = [
  'event_reminder',
  'event_soon',
  'event_changed',
  'event_cancelled',
  'event_place',
  'event_offer',
] as const

/** Their `subject_id` is a post that need not be the member's own. */
export const kindsAboutPosts = [
  ...(['reply', 'mention', 'announcement'] as const),
  ...(['read_reminder', 'urgent_reminder', 'poll_reminder'] as const),
  ...eventKinds,
] satisfies NotificationKind[]

/** They share one switch, with the name of the first kind. */
export const reminderKinds = [
  'read_reminder',
  'urgent_reminder',
  'poll_reminder',
  'group_poll_reminder',
] as const

/** Kinds that share the switch of the first one. */
export const sharedSwitches: readonly (readonly NotificationKind[])[] = [
  reactionKinds,
  reminderKinds,
  eventKinds,
]

/**
 * Chat messages do not use `app`: chats have an unread number of their own. Nor do tasks: they always count.
 * A first message does not use
 * `push`: it is pushed as a chat message.
 */
export const usesChannel = (kind: SwitchKind, channel: Channel) =>
  kind === 'message' || taskKinds.some((task) => task === kind)
    ? channel !== 'app'
    : kind !== 'first_message' || channel !== 'push'

/** Hundreds of posts a day must not ring a phone unless its owner wants that. */
export const isOffAtFirst = (kind: NotificationKind | 'message', channel: Channel) =>
  kind === 'new_post' && channel === 'push'

export const settingEndpoints = endpoints<typeof settingSchemas>({
  get: 'GET /api/notification-settings',
  save: 'PATCH /api/notification-settings',
})

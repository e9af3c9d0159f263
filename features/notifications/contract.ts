import * as v from 'valibot'
import {
  createPaginationParameterFields,
  defineEndpoint,
  idSchema,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'
import { serverConditionSchema } from './server-contract.ts'

/** The maximum number of people whose names one notification contains. */
export const MAX_PEOPLE_IN_NOTIFICATION = 3
/** The maximum number of different emoji that one notification contains. */
export const MAX_EMOJI_IN_NOTIFICATION = 5
/**
 * The largest number of unread notifications that the server counts. If there are more, it still returns this
 * number.
 */
export const MAX_UNREAD_NOTIFICATION_COUNT = 100
const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 50

/** The kinds of notifications about what one person does to another. */
export const personalNotificationKindSchema = v.picklist([
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
 * The kinds of notifications. `like`: people like a post of the member. `reaction`, `reply_reaction`,
 * `message_reaction`: people react with emoji to a post, to a reply or to a message of the member. `reply`:
 * people replied to a post of the member, or answered a reply of the member to another person's post.
 * `quote`: people quoted a message of the member in a group. `mention`: people mentioned the member in a post
 * or in the replies to it. `group_mention`: people mentioned the member in messages of a group. `follow`:
 * people follow the member. `group`: somebody added the member to a group. `first_message`: somebody sent the
 * member the first message of a private chat. `announcement`: an admin pinned a post and told everyone of it;
 * the notification names the author of the post, or, if it is for the author, the admin. `server`: something
 * about the server needs the admin, or is over; the notification names the admin.
 */
export const notificationKindSchema = v.picklist([
  ...personalNotificationKindSchema.options,
  'announcement',
  'server',
])
export type NotificationKind = v.InferOutput<typeof notificationKindSchema>

/**
 * A notification of a member. One notification stands for all actions of other people that concern the same
 * thing of the member, such as all likes of one post.
 */
export const notificationSchema = v.object({
  id: v.number(),
  kind: notificationKindSchema,
  /**
   * The people whose actions the notification is about, those who acted last first: at most
   * `MAX_PEOPLE_IN_NOTIFICATION`.
   */
  people: v.array(personSchema),
  /**
   * The number of all people whose actions the notification is about. Like `people`, it leaves out
   * people whom the member may not see or has muted.
   */
  people_count: v.number(),
  /**
   * The post that the notification links to, with its text. For the kind `mention`, the mention is in this
   * post or in a reply to it. For the kind `reply_reaction`, people reacted to a reply to this post.
   * `is_own`: the member wrote the post. The field exists only for the kinds `like`, `reaction`,
   * `reply_reaction`, `reply`, `mention` and `announcement`.
   */
  post: v.exactOptional(v.object({ id: v.number(), body: v.nullable(v.string()), is_own: v.boolean() })),
  /**
   * The reply that the notification shows. For the kind `reply`, the newest reply. For the kind `mention`,
   * the reply with the newest mention; absent if that mention is in the post. For the kind `reply_reaction`,
   * the reply of the member to which people reacted. `body` is null if the reply has only pictures.
   */
  reply: v.exactOptional(v.object({ id: v.number(), body: v.nullable(v.string()) })),
  /**
   * The group to which the member was added, or in which people quoted or mentioned the member, or reacted to
   * the member's message. The field exists only for the kinds `group`, `quote`, `group_mention` and
   * `message_reaction`.
   */
  group: v.exactOptional(v.object({ id: v.number(), name: v.string() })),
  /**
   * The id of the newest message that quotes or mentions the member. For the kind `message_reaction`, the
   * id of the member's message to which people reacted. The field exists only for the kinds `quote`,
   * `group_mention` and `message_reaction`.
   */
  message_id: v.exactOptional(v.number()),
  /**
   * The text of the message with the id `message_id`; null if the message has only pictures or files, or if
   * the member may not read it any more. The field exists only for the kinds that have `message_id`.
   */
  message_body: v.exactOptional(v.nullable(v.string())),
  /**
   * The emoji with which people reacted, those of the most people first: at most `MAX_EMOJI_IN_NOTIFICATION`.
   * The field exists only for the kinds `reaction`, `reply_reaction` and `message_reaction`.
   */
  emoji: v.exactOptional(v.array(v.string())),
  /**
   * What the server tells its admins of, and whether it is over. The field exists only for the kind `server`.
   */
  server: v.exactOptional(v.object({ condition: serverConditionSchema, is_over: v.boolean() })),
  /**
   * The id of the newest action that the notification is about (a row of `notification_events`). A later
   * action has a higher id, also in other notifications.
   */
  last_event_id: v.number(),
  /** The time of the newest action that the notification is about. */
  updated_at: isoTimestampSchema,
  is_read: v.boolean(),
})
export type Notification = v.InferOutput<typeof notificationSchema>

const UnreadNotifications = v.object({
  /**
   * The number of unread notifications. It is at most `MAX_UNREAD_NOTIFICATION_COUNT`, which means that there
   * may be more.
   */
  count: v.number(),
})

const NewestUnreadNotifications = v.object({
  ...UnreadNotifications.entries,
  /** The highest `last_event_id` of all notifications of the member; 0 if the member has none. */
  last_event_id: v.number(),
})

export const notificationEndpoints = {
  /**
   * Lists the member's notifications, those with the newest action first. `before` is the `last_event_id` of
   * the last notification that the page already shows.
   */
  list: defineEndpoint(
    'GET /api/notifications',
    'member',
    v.object(createPaginationParameterFields(PAGE_SIZE, MAX_PAGE_SIZE)),
    v.array(notificationSchema),
    { paginated: true },
  ),
  unread: defineEndpoint('GET /api/notifications/unread', 'member', noInputSchema, NewestUnreadNotifications),
  /**
   * Marks all notifications as read whose `last_event_id` is at most the given one. Returns the number of
   * unread notifications that are left.
   */
  markRead: defineEndpoint(
    'POST /api/notifications/read',
    'member',
    v.object({ last_event_id: idSchema }),
    UnreadNotifications,
  ),
  /**
   * Marks the notifications as read that are about what the page of a post shows: the post, the replies on
   * the page, and reactions to the member's own replies on the page. Leaves a notification unread if its
   * `last_event_id` is higher than the given one, because the page does not know its newest action yet.
   * Returns the number of unread notifications that are left.
   */
  markPostRead: defineEndpoint(
    'POST /api/notifications/read-about',
    'member',
    v.object({
      post_id: idSchema,
      last_event_id: idSchema,
      /**
       * The id of the oldest reply that the member's browser shows on the page of the post; absent if it
       * shows none.
       */
      first_reply_id: v.optional(idSchema),
      /**
       * The id of the newest reply that the member's browser shows on the page of the post; absent if it
       * shows none.
       */
      last_reply_id: v.optional(idSchema),
    }),
    UnreadNotifications,
  ),
}

/**
 * The name of the event in the member's own channel (`presence-user.ID`) that tells all windows of the member
 * to load the number of unread notifications again. In its data, `is_only_read` is true if nothing new has
 * happened and the member has only read notifications.
 */
export const NOTIFICATIONS_CHANGED_EVENT = 'NotificationsChanged'

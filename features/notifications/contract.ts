import * as v from 'valibot'
import {
  createPaginationParameterFields,
  defineEndpoint,
  idSchema,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The maximum number of people whom one notification names. */
export const MAX_PEOPLE_IN_NOTIFICATION = 3
/** The maximum number of emoji that one notification names. */
export const MAX_EMOJI_IN_NOTIFICATION = 5
/** Unread notifications are counted up to this number. */
export const MAX_UNREAD_NOTIFICATION_COUNT = 100
const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 50

/**
 * `like`: people like a post of the member. `reaction`, `reply_reaction`, `message_reaction`: people react
 * with emoji to a post, to a reply or to a message of the member. `reply`: people replied to a post of the
 * member, or answered a reply of the member to another person's post. `quote`: people quoted a message of
 * the member in a group. `mention`: people mentioned the member in a post or in the replies to it.
 * `group_mention`: people mentioned the member in messages of a group. `follow`: people follow the member.
 * `group`: somebody added the member to a group. `first_message`: somebody sent the member the first
 * message of a private chat. `announcement`: an admin pinned a post and told everyone of it. The kind names the
 * author of the post; for the author, it names the admin.
 */
export const notificationKindSchema = v.picklist([
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
  'announcement',
])
export type NotificationKind = v.InferOutput<typeof notificationKindSchema>

/**
 * A notification stands for all acts of other people that concern one thing of the member, such as all
 * likes of a post.
 */
export const notificationSchema = v.object({
  id: v.number(),
  kind: notificationKindSchema,
  /** The people who acted last, newest first: at most `MAX_PEOPLE_IN_NOTIFICATION`. */
  people: v.array(personSchema),
  /**
   * The number of all people who acted. Like `people`, it leaves out people whom the member may not see or
   * has muted.
   */
  people_count: v.number(),
  /**
   * The post to which the notification leads, with its text. For the kind `mention`, the mention is in this
   * post or in a reply to it. For the kind `reply_reaction`, people reacted to a reply to this post.
   * `is_own`: the member wrote the post. Only for the kinds `like`, `reaction`, `reply_reaction`, `reply`,
   * `mention` and `announcement`.
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
   * the member's message. Only for the kinds `group`, `quote`, `group_mention` and `message_reaction`.
   */
  group: v.exactOptional(v.object({ id: v.number(), name: v.string() })),
  /**
   * The id of the newest message that quotes or mentions the member. For the kind `message_reaction`, the id of
   * the member's message to which people reacted. Only for the kinds `quote`, `group_mention` and
   * `message_reaction`.
   */
  message_id: v.exactOptional(v.number()),
  /**
   * The text of the message with the id `message_id`; null if it has only pictures or files, or if the member
   * may not read it any more. Only for the same kinds.
   */
  message_body: v.exactOptional(v.nullable(v.string())),
  /**
   * The emoji with which people reacted, that of the most people first: at most `MAX_EMOJI_IN_NOTIFICATION`. Only for
   * the kinds `reaction`, `reply_reaction` and `message_reaction`.
   */
  emoji: v.exactOptional(v.array(v.string())),
  /**
   * The id of the newest act (a row of `notification_events`). A later act has a higher id, also in other
   * notifications.
   */
  last_event_id: v.number(),
  /** The time of the newest act. */
  updated_at: isoTimestampSchema,
  is_read: v.boolean(),
})
export type Notification = v.InferOutput<typeof notificationSchema>

const UnreadNotifications = v.object({
  /** The exact number below `MAX_UNREAD_COUNT`; the value `MAX_UNREAD_COUNT` means that number or more. */
  count: v.number(),
})

const NewestUnreadNotifications = v.object({
  ...UnreadNotifications.entries,
  /** The highest `last_event_id` of all notifications of the member; 0 if there are none. */
  last_event_id: v.number(),
})

export const notificationEndpoints = {
  /**
   * Lists the notifications, those with the newest act first. `before` is the `last_event_id` of the last
   * notification that is shown.
   */
  list: defineEndpoint(
    'GET /api/notifications',
    'member',
    v.object(createPaginationParameterFields(PAGE_SIZE, MAX_PAGE_SIZE)),
    v.array(notificationSchema),
    { paginated: true },
  ),
  unread: defineEndpoint('GET /api/notifications/unread', 'member', noInputSchema, NewestUnreadNotifications),
  /** Marks all notifications as read whose newest act has an id of at most `last_event_id`. */
  markRead: defineEndpoint(
    'POST /api/notifications/read',
    'member',
    v.object({ last_event_id: idSchema }),
    UnreadNotifications,
  ),
  /**
   * Marks the notifications as read whose subjects the page of a post shows: those about the post, about the
   * replies on the page, and about reactions to the member's own replies on the page. Does not mark a
   * notification if its newest act has a higher id than `last_event_id`, because the page does not know it.
   */
  markPostRead: defineEndpoint(
    'POST /api/notifications/read-about',
    'member',
    v.object({
      post_id: idSchema,
      last_event_id: idSchema,
      /** The id of the oldest reply that the member's page of the post shows; absent if it shows none. */
      first_reply_id: v.optional(idSchema),
      /** The id of the newest reply that the member's page of the post shows; absent if it shows none. */
      last_reply_id: v.optional(idSchema),
    }),
    UnreadNotifications,
  ),
}

/**
 * The event in the member's own channel (`presence-user.ID`) that tells all windows of the member to load
 * the number of unread notifications again. In its data, `is_only_read` is true if there is no new act and
 * the member has only read notifications.
 */
export const NOTIFICATIONS_CHANGED_EVENT = 'NotificationsChanged'

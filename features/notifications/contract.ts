import * as v from 'valibot'
import {
  createPageParameterFields,
  defineEndpoint,
  idSchema,
  noInputSchema,
  timestampSchema,
} from '#core/contract.ts'
import { Person } from '#features/people/contract.ts'

/** The number of people whom one notification names. */
export const MAX_NAMED_PEOPLE = 3
/** Unread notifications are counted up to this number. */
export const MAX_UNREAD_COUNT = 100
const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 50

/**
 * `like`: people like a post of the member. `follow`: people follow the member. `group`: somebody added the
 * member to a group. `first_message`: somebody opened a private chat with the member.
 */
export const NotificationKind = v.picklist(['like', 'follow', 'group', 'first_message'])
export type NotificationKind = v.InferOutput<typeof NotificationKind>

/** All acts of other people that concern one thing of the member, such as all likes of a post. */
export const Notification = v.object({
  id: v.number(),
  kind: NotificationKind,
  /** The people who did it last, newest first: at most `MAX_NAMED_PEOPLE`. */
  people: v.array(Person),
  /** The number of all people who did it. */
  people_count: v.number(),
  /** The liked post, with its text. Only for the kind `like`. */
  post: v.exactOptional(v.object({ id: v.number(), body: v.nullable(v.string()) })),
  /** The group to which the member was added. Only for the kind `group`. */
  group: v.exactOptional(v.object({ id: v.number(), name: v.string() })),
  /** The id of the newest event. It grows with each event, in all notifications of the member. */
  last_event_id: v.number(),
  /** The time of the newest event. */
  updated_at: timestampSchema,
  is_read: v.boolean(),
})
export type Notification = v.InferOutput<typeof Notification>

const UnreadNotifications = v.object({
  /** The exact number below `MAX_UNREAD_COUNT`; the value `MAX_UNREAD_COUNT` means that number or more. */
  count: v.number(),
})

export const notificationEndpoints = {
  /** The notifications with the newest event first. `before` is the `last_event_id` of the last one shown. */
  list: defineEndpoint(
    'GET /api/notifications',
    'member',
    v.object(createPageParameterFields(PAGE_SIZE, MAX_PAGE_SIZE)),
    v.array(Notification),
    { paginated: true },
  ),
  unread: defineEndpoint('GET /api/notifications/unread', 'member', noInputSchema, UnreadNotifications),
  /** Marks all notifications as read whose newest event is not newer than `last_event_id`. */
  markRead: defineEndpoint(
    'POST /api/notifications/read',
    'member',
    v.object({ last_event_id: idSchema }),
    UnreadNotifications,
  ),
}

/**
 * The event in the member's own channel (`presence-user.ID`) that tells all windows of the member to load the
 * number of unread notifications again. In its data, `is_only_read` says whether nothing is new.
 */
export const NOTIFICATIONS_CHANGED_EVENT = 'NotificationsChanged'

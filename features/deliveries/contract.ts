import * as v from 'valibot'
import {
  createPaginationParameterFields,
  defineEndpoint,
  idSchema,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'
import { notificationSchema } from '#features/notifications/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** For how many days the server keeps how messages and notifications reached their recipients. */
export const DELIVERY_TRACE_RETENTION_DAYS = 7
const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 50

/**
 * One step on the way of a message or notification to the member.
 *
 * `channel`, with its outcomes:
 * - `app`: `stored`: it is in the app.
 * - `live`: `shown`: it was sent at once to `windows` open windows. `no_window`: no window was open. `muted`:
 *   the member has muted the author. `unknown`: the server does not know.
 * - `push`: `accepted`: the push service took it. `refused`: the push service refused it for good. `gone`:
 *   the push service no longer knew the device. `delayed`: it is tried again, not before `until`. `held`: it
 *   waits, or has waited, until `until` for the end of quiet hours. `waiting`: it is about to be sent.
 *   `dropped`: it was not sent. `no_device`: the member had no device that receives push messages.
 *   `as_message`: the push message of the chat message is the one for this notification. `unknown`.
 * - `mail`: `queued`, `sent`, `deferred` until `until`, `dropped`; `none`: there was no mail.
 *
 * `reason` is machine-readable. For `refused`, `gone` and `delayed` it is the HTTP status, or `timeout`,
 * `unreachable` or `paused`. For `dropped` it is the reason of the events `push.dropped` and
 * `digest.dropped`; for `deferred` that of `digest.deferred`. For `none` it is `off`, `switched_off`,
 * `no_address` or `not_away`.
 */
export const deliveryStepSchema = v.object({
  channel: v.picklist(['app', 'live', 'push', 'mail']),
  outcome: v.picklist([
    'stored',
    'shown',
    'no_window',
    'muted',
    'unknown',
    'accepted',
    'refused',
    'gone',
    'delayed',
    'held',
    'waiting',
    'dropped',
    'no_device',
    'as_message',
    'queued',
    'sent',
    'deferred',
    'none',
  ]),
  reason: v.nullable(v.string()),
  until: v.nullable(isoTimestampSchema),
  /** The number of windows; null except for `shown`. */
  windows: v.nullable(v.number()),
  /** The browser and the system of the device, such as `Firefox · Linux`; null if unknown or not a device. */
  device: v.nullable(v.string()),
  /**
   * When this step of the delivery happened; null if it follows from the member's settings, without a row.
   */
  at: v.nullable(isoTimestampSchema),
})
export type DeliveryStep = v.InferOutput<typeof deliveryStepSchema>

const deliveryFields = {
  id: v.number(),
  created_at: isoTimestampSchema,
  is_read: v.boolean(),
  /** The steps, in the order of the channels, and in each channel the oldest first. */
  steps: v.array(deliveryStepSchema),
}
/** A message of another person, with its trace. */
const MessageDelivery = v.object({
  kind: v.literal('message'),
  ...deliveryFields,
  from: personSchema,
  /** The group of the message; null in a private chat. */
  group: v.nullable(v.object({ id: v.number(), name: v.string() })),
  /** The beginning of the text; empty if the message has no text, or the member has muted its author. */
  text: v.string(),
})
/** A notification, with the trace of its newest acts. `created_at` is the time of the newest act. */
const NotificationDelivery = v.object({
  kind: v.literal('notification'),
  ...deliveryFields,
  notification: notificationSchema,
})
export const messageOrNotificationDeliverySchema = v.variant('kind', [MessageDelivery, NotificationDelivery])
export type MessageOrNotificationDelivery = v.InferOutput<typeof messageOrNotificationDeliverySchema>

/** Counts of one day and of seven days. */
const Counts = v.object({ day: v.number(), week: v.number() })
const ChannelHealth = v.object({
  channel: v.picklist(['live', 'push', 'mail']),
  last_success_at: v.nullable(isoTimestampSchema),
  /** Windows that were written to, push messages that were taken, mails that were sent. */
  accepted: Counts,
  /** Attempts that failed for good; for `live`, traces that were lost because there were too many at once. */
  refused: Counts,
  /** Attempts that were put off because the push service or the mail server was busy or silent. */
  delayed: Counts,
  /** How many deliveries wait now, and since when the oldest of them waits. */
  waiting: v.number(),
  oldest_waiting_at: v.nullable(isoTimestampSchema),
})
export type DeliveryChannelHealth = v.InferOutput<typeof ChannelHealth>

const PushProviderHealth = v.object({
  /** The host of the push service, without the addresses of devices. */
  host: v.string(),
  last_success_at: v.nullable(isoTimestampSchema),
  accepted: Counts,
  /** How often requests ended otherwise, by HTTP status, or `timeout`, `unreachable` or `paused`. */
  failures: v.array(v.object({ reason: v.string(), ...Counts.entries })),
  /** Until when the server sends no requests to it, because it did not answer; null if it does. */
  paused_until: v.nullable(isoTimestampSchema),
})
export type PushProviderHealth = v.InferOutput<typeof PushProviderHealth>

const DeliveryHealth = v.object({
  channels: v.array(ChannelHealth),
  /** The push services with the most requests of the last seven days first. */
  push_providers: v.array(PushProviderHealth),
})
export type DeliveryHealth = v.InferOutput<typeof DeliveryHealth>

const { limit } = createPaginationParameterFields(PAGE_SIZE, MAX_PAGE_SIZE)

export const deliveryEndpoints = {
  /**
   * Lists messages of other people to the member and the member's notifications of the last seven days,
   * newest first. `before_message` is the id of the oldest message that is shown, and `before_notification`
   * the `last_event_id` of the oldest notification.
   */
  list: defineEndpoint(
    'GET /api/deliveries',
    'member',
    v.object({ before_message: v.optional(idSchema), before_notification: v.optional(idSchema), limit }),
    v.array(messageOrNotificationDeliverySchema),
    { paginated: true },
  ),
  /** Responds 404 for an own message, and for a message that the member may not see. */
  message: defineEndpoint(
    'GET /api/chat-messages/:id/delivery',
    'member',
    v.object({ id: idSchema }),
    messageOrNotificationDeliverySchema,
  ),
  notification: defineEndpoint(
    'GET /api/notifications/:id/delivery',
    'member',
    v.object({ id: idSchema }),
    messageOrNotificationDeliverySchema,
  ),
}

export const deliveryHealthEndpoints = {
  /** Says how the channels and the push services work, without contents and without members. */
  show: defineEndpoint('GET /api/admin/deliveries', 'admin', noInputSchema, DeliveryHealth, {
    limits: [{ max: 60, by: 'account' }],
  }),
}

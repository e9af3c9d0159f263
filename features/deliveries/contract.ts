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

/** The number of days for which the server stores how messages and notifications reached their recipients. */
export const DELIVERY_TRACE_RETENTION_DAYS = 7
const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 50

/**
 * A step in the delivery of a message or notification to the member: what happened in one channel.
 *
 * The values of `channel`, each with the possible values of `outcome`:
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
export const channelDeliveryOutcomeSchema = v.object({
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
  /**
   * The number of open windows of the member to which the event was sent; null unless the outcome is `shown`.
   */
  windows: v.nullable(v.number()),
  /**
   * The browser and the system of the device to which a push message was sent, such as `Firefox · Linux`;
   * null if unknown, and for other channels.
   */
  device: v.nullable(v.string()),
  /**
   * The time of this step; null if no row is stored about the step, because it follows from the member's
   * settings.
   */
  at: v.nullable(isoTimestampSchema),
})
export type ChannelDeliveryOutcome = v.InferOutput<typeof channelDeliveryOutcomeSchema>

const deliveryFields = {
  id: v.number(),
  created_at: isoTimestampSchema,
  is_read: v.boolean(),
  /** The steps of the delivery, in the order of the channels, and in each channel the oldest first. */
  steps: v.array(channelDeliveryOutcomeSchema),
}
/** A chat message that another person wrote, with the steps of its delivery to the member. */
const MessageDelivery = v.object({
  kind: v.literal('message'),
  ...deliveryFields,
  from: personSchema,
  /** The group in which the message was written; null for a message of a private chat. */
  group: v.nullable(v.object({ id: v.number(), name: v.string() })),
  /**
   * The beginning of the text of the message. It is empty if the message has no text, or if the member has
   * muted its author.
   */
  text: v.string(),
})
/**
 * A notification, with the steps of the delivery of its newest event. `created_at` is the time of that event
 * (such as a like).
 */
const NotificationDelivery = v.object({
  kind: v.literal('notification'),
  ...deliveryFields,
  notification: notificationSchema,
})
export const messageOrNotificationWithDeliveryStepsSchema = v.variant('kind', [
  MessageDelivery,
  NotificationDelivery,
])
export type MessageOrNotificationWithDeliverySteps = v.InferOutput<
  typeof messageOrNotificationWithDeliveryStepsSchema
>

/** How often something happened in the last day and in the last seven days. */
const Counts = v.object({ day: v.number(), week: v.number() })
const ChannelHealth = v.object({
  channel: v.picklist(['live', 'push', 'mail']),
  last_success_at: v.nullable(isoTimestampSchema),
  /**
   * For `live`, the number of windows to which events were sent. For `push`, the number of push messages that
   * push services accepted. For `mail`, the number of sent mails.
   */
  accepted: Counts,
  /**
   * The number of attempts that failed and are not repeated. For `live`, the number of events about
   * which nothing was stored, because there were too many at once.
   */
  refused: Counts,
  /**
   * The number of attempts that are repeated later, because the push service or the mail server was busy or
   * did not answer.
   */
  delayed: Counts,
  /**
   * The number of push messages or mails that wait to be sent now. `oldest_waiting_at` says since when the
   * oldest of them waits.
   */
  waiting: v.number(),
  oldest_waiting_at: v.nullable(isoTimestampSchema),
})
export type DeliveryChannelHealth = v.InferOutput<typeof ChannelHealth>

const PushProviderHealth = v.object({
  /** The host name of the push service. The rest of the push URLs, which identify devices, is left out. */
  host: v.string(),
  last_success_at: v.nullable(isoTimestampSchema),
  accepted: Counts,
  /**
   * How often requests to the push service did not succeed, for each reason: the HTTP status, or `timeout`,
   * `unreachable` or `paused`.
   */
  failures: v.array(v.object({ reason: v.string(), ...Counts.entries })),
  /**
   * The time until which the server sends no requests to this push service, because it did not answer; null
   * if there is no such pause.
   */
  paused_until: v.nullable(isoTimestampSchema),
})
export type PushProviderHealth = v.InferOutput<typeof PushProviderHealth>

const DeliveryHealth = v.object({
  channels: v.array(ChannelHealth),
  /** The push services, those that got the most requests in the last seven days first. */
  push_providers: v.array(PushProviderHealth),
})
export type DeliveryHealth = v.InferOutput<typeof DeliveryHealth>

const { limit } = createPaginationParameterFields(PAGE_SIZE, MAX_PAGE_SIZE)

export const deliveryEndpoints = {
  /**
   * Lists messages of other people to the member, and the member's notifications, of the last seven days,
   * newest first, with the steps of their delivery. `before_message` is the id of the oldest message that the
   * page already shows, and `before_notification` the `last_event_id` of its oldest notification.
   */
  list: defineEndpoint(
    'GET /api/deliveries',
    'member',
    v.object({ before_message: v.optional(idSchema), before_notification: v.optional(idSchema), limit }),
    v.array(messageOrNotificationWithDeliveryStepsSchema),
    { paginated: true },
  ),
  /**
   * Returns one message with the steps of its delivery. Responds 404 for the member's own message, and for a
   * message that the member may not see.
   */
  message: defineEndpoint(
    'GET /api/chat-messages/:id/delivery',
    'member',
    v.object({ id: idSchema }),
    messageOrNotificationWithDeliveryStepsSchema,
  ),
  notification: defineEndpoint(
    'GET /api/notifications/:id/delivery',
    'member',
    v.object({ id: idSchema }),
    messageOrNotificationWithDeliveryStepsSchema,
  ),
}

export const deliveryHealthEndpoints = {
  /**
   * Returns how often deliveries succeeded and failed for each channel and push service, without contents and
   * without members.
   */
  show: defineEndpoint('GET /api/admin/deliveries', 'admin', noInputSchema, DeliveryHealth, {
    limits: [{ max: 60, by: 'account' }],
  }),
}

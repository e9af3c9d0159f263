import * as v from 'valibot'
import { endpoint, idSchema, isoTime, noInputSchema, pageFields } from '#core/schemas.ts'
import { notificationSchema } from '#features/notifications/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'

const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 50

/**
 * The outcomes of each channel:
 * - `app`: `stored`.
 * - `live`: `shown` in `windows` open windows, `no_window`, `muted` (the author), `unknown`.
 * - `push`: `accepted`, `refused` for good, `gone`: the push service no longer knew the device. `delayed`:
 *   tried again, not before `until`. `held`: waits, or has waited, until `until` for the end of quiet hours.
 *   `waiting`: about to be sent. `dropped`: not sent. `no_device`. `as_message`: the push message of the chat
 *   message stands for this notification. `unknown`.
 * - `mail`: `queued`, `sent`, `deferred` until `until`, `dropped`; `none`: there was no mail.
 *
 * `reason` is machine-readable. For `refused`, `gone` and `delayed` it is the HTTP status, or `timeout`,
 * `unreachable` or `paused`. For `dropped` it is the reason of the events `push.dropped` and
 * `digest.dropped`; for `deferred` that of `digest.deferred`. For `none` it is `off`, `switched_off`,
 * `no_address` or `not_away`.
 */
export const stepSchema = v.object({
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
  until: v.nullable(isoTime),
  /** Null unless the outcome is `shown`. */
  windows: v.nullable(v.number()),
  /** Browser and system, such as `Firefox · Linux`; null if unknown, and for other channels. */
  device: v.nullable(v.string()),
  /** Null if the step is not stored, because it follows from the member's settings. */
  at: v.nullable(isoTime),
})
export type DeliveryStep = v.InferOutput<typeof stepSchema>

const deliveryFields = {
  id: v.number(),
  created_at: isoTime,
  is_read: v.boolean(),
  /** In the order of the channels, and in each channel the oldest first. */
  steps: v.array(stepSchema),
}
/** Written by another person. */
const MessageDelivery = v.object({
  kind: v.literal('message'),
  ...deliveryFields,
  from: personSchema,
  /** Null for a private chat. */
  group: v.nullable(v.object({ id: v.number(), name: v.string() })),
  /** The beginning. Empty if the message has no text, or if the member has muted its author. */
  text: v.string(),
})
/** With the steps of its newest event, such as a like, whose time is `created_at`. */
const NotificationDelivery = v.object({
  kind: v.literal('notification'),
  ...deliveryFields,
  notification: notificationSchema,
})
export const deliverySchema = v.variant('kind', [MessageDelivery, NotificationDelivery])
export type Delivery = v.InferOutput<typeof deliverySchema>

/** In the last day and in the last seven days. */
const Counts = v.object({ day: v.number(), week: v.number() })
const channelHealthSchema = v.object({
  channel: v.picklist(['live', 'push', 'mail']),
  last_success_at: v.nullable(isoTime),
  /** `live`: windows. `push`: messages that push services accepted. `mail`: sent mails. */
  accepted: Counts,
  /** Only for `mail` without SMTP_URL: files on the server, which reach nobody. */
  written: v.exactOptional(Counts),
  /** Not repeated. `live`: events about which nothing was stored, because there were too many at once. */
  refused: Counts,
  /** Repeated later: the push service or the mail server was busy or did not answer. */
  delayed: Counts,
  /** To be sent now. `oldest_waiting_at` says since when the oldest waits. */
  waiting: v.number(),
  oldest_waiting_at: v.nullable(isoTime),
})
export type ChannelHealth = v.InferOutput<typeof channelHealthSchema>

const ProviderHealth = v.object({
  /** A host name. The rest of the push URLs, which identify devices, is left out. */
  host: v.string(),
  last_success_at: v.nullable(isoTime),
  accepted: Counts,
  /** `reason` is the HTTP status, or `timeout`, `unreachable` or `paused`. */
  failures: v.array(v.object({ reason: v.string(), ...Counts.entries })),
  /** No requests until then, because the push service did not answer; null for none. */
  paused_until: v.nullable(isoTime),
})
export type ProviderHealth = v.InferOutput<typeof ProviderHealth>

const DeliveryHealth = v.object({
  channels: v.array(channelHealthSchema),
  /** Most requests in the last seven days first. */
  push_providers: v.array(ProviderHealth),
})
export type DeliveryHealth = v.InferOutput<typeof DeliveryHealth>

const { limit } = pageFields(PAGE_SIZE, MAX_PAGE_SIZE)

export const deliverySchemas = {
  /**
   * The last seven days, newest first. The cursor has the oldest message (id) and the oldest notification
   * (`last_event_id`) that the page shows.
   */
  list: endpoint(
    'member',
    v.object({ before_message: v.optional(idSchema), before_notification: v.optional(idSchema), limit }),
    v.array(deliverySchema),
    { paginated: true },
  ),
  /** 404 for the member's own message, and for one that the member may not see. */
  message: endpoint('member', v.object({ id: idSchema }), deliverySchema),
  notification: endpoint('member', v.object({ id: idSchema }), deliverySchema),
}

export const deliveryHealthSchemas = {
  /** Without contents and without members. */
  show: endpoint('admin', noInputSchema, DeliveryHealth, {
    limits: [{ max: 60, by: 'account' }],
  }),
}

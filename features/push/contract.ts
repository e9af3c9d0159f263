import * as v from 'valibot'
import { defineEndpoint, idInputSchema, isoTimestampSchema, noInputSchema } from '#core/contract.ts'

/** The maximum number of devices (browsers) of one member that receive push messages. */
export const MAX_PUSH_DEVICES_PER_MEMBER = 20
const MAX_ENDPOINT_LENGTH = 1000

/**
 * How much a push message shows on the device. `text`: the names of people and groups, and the text.
 * `name`: the names, but no text. `none`: neither; the message only says that there is something new.
 */
export const pushPrivacySchema = v.picklist(['text', 'name', 'none'], 'invalid')
export type PushPrivacy = v.InferOutput<typeof pushPrivacySchema>

/**
 * A browser that receives push messages for the member. The device is removed when the session of the browser
 * ends.
 */
export const pushDeviceSchema = v.object({
  id: v.number(),
  /**
   * The browser and the operating system from which the session of the device was started, such as `Firefox ·
   * Linux`; null if unknown.
   */
  device: v.nullable(v.string()),
  created_at: isoTimestampSchema,
  /**
   * The time when the push service last accepted a message for this device; null if it has not yet accepted
   * one.
   */
  last_sent_at: v.nullable(isoTimestampSchema),
  /** Whether this device is the browser that sent the request. */
  is_current: v.boolean(),
})
export type PushDevice = v.InferOutput<typeof pushDeviceSchema>

const PushSettings = v.object({
  /** The public VAPID key of the server in base64url, which the browser needs for `PushManager.subscribe`. */
  public_key: v.string(),
  privacy: pushPrivacySchema,
  devices: v.array(pushDeviceSchema),
})
export type PushKeyPrivacyAndDevices = v.InferOutput<typeof PushSettings>

const createKeySchema = (length: number) =>
  v.pipe(v.string('string'), v.regex(new RegExp(`^[\\w-]{${length}}={0,2}$`), 'invalid'))

/** The schema of a push subscription, as `PushSubscription.toJSON()` of the browser returns it. */
const SubscriptionInput = v.object({
  endpoint: v.pipe(v.string('string'), v.maxLength(MAX_ENDPOINT_LENGTH, `max:${MAX_ENDPOINT_LENGTH}`)),
  keys: v.object({ p256dh: createKeySchema(87), auth: createKeySchema(22) }),
})
export type PushSubscriptionInput = v.InferOutput<typeof SubscriptionInput>

/**
 * The result of sending a test message. `sent`: the push service accepted the message. `gone`: the push
 * service no longer knows the device, so the device was removed. `failed`: the push service refused the
 * message or did not answer.
 */
const PushTestResult = v.object({ result: v.picklist(['sent', 'gone', 'failed']) })

export const pushEndpoints = {
  settings: defineEndpoint('GET /api/push', 'member', noInputSchema, PushSettings),
  update: defineEndpoint('PATCH /api/push', 'member', v.object({ privacy: pushPrivacySchema }), PushSettings),
  /**
   * Stores the push subscription of the browser that sent the request, as a device of the member. Replaces an
   * earlier subscription of this browser.
   */
  subscribe: defineEndpoint('POST /api/push/devices', 'member', SubscriptionInput, pushDeviceSchema, {
    status: 201,
    limits: [{ max: 20, by: 'account' }],
  }),
  unsubscribe: defineEndpoint('DELETE /api/push/devices/:id', 'member', idInputSchema, v.void(), {
    status: 204,
  }),
  /**
   * Sends a test message to a device of the member at once. Responds 429 while another test of the member is
   * being sent.
   */
  test: defineEndpoint('POST /api/push/devices/:id/test', 'member', idInputSchema, PushTestResult, {
    limits: [{ max: 10, by: 'account' }],
  }),
}

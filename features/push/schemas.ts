import * as v from 'valibot'
import { endpoint, idInputSchema, isoTime, noInputSchema } from '#core/schemas.ts'

const MAX_ENDPOINT_LENGTH = 1000

/** `text`: names and text. `name`: names, but no text. `none`: only that there is something new. */
export const privacySchema = v.picklist(['text', 'name', 'none'], 'invalid')
export type PushPrivacy = v.InferOutput<typeof privacySchema>

/** Removed when the session of the browser ends. */
export const deviceSchema = v.object({
  id: v.number(),
  /** Browser and system, such as `Firefox · Linux`; null if unknown. */
  device: v.nullable(v.string()),
  created_at: isoTime,
  /** When the push service last accepted a message; null if it has not yet. */
  last_sent_at: v.nullable(isoTime),
  /** The browser that sent the request. */
  is_current: v.boolean(),
})
export type PushDevice = v.InferOutput<typeof deviceSchema>

const settingsSchema = v.object({
  /** VAPID, in base64url, for `PushManager.subscribe`. */
  public_key: v.string(),
  privacy: privacySchema,
  devices: v.array(deviceSchema),
})
export type PushSettings = v.InferOutput<typeof settingsSchema>

const createKeySchema = (length: number) =>
  v.pipe(v.string('string'), v.regex(new RegExp(`^[\\w-]{${length}}={0,2}$`), 'invalid'))

/** From `PushSubscription.toJSON()`. */
const subscriptionSchema = v.object({
  endpoint: v.pipe(v.string('string'), v.maxLength(MAX_ENDPOINT_LENGTH, `max:${MAX_ENDPOINT_LENGTH}`)),
  keys: v.object({ p256dh: createKeySchema(87), auth: createKeySchema(22) }),
})
export type SubscriptionInput = v.InferOutput<typeof subscriptionSchema>

/** `gone`: the push service did not know the device, which was removed. `failed`: refused, or no answer. */
const PushTestResult = v.object({ result: v.picklist(['sent', 'gone', 'failed']) })

export const pushSchemas = {
  settings: endpoint('member', noInputSchema, settingsSchema),
  update: endpoint('member', v.object({ privacy: privacySchema }), settingsSchema),
  /** Replaces an earlier subscription of this browser. */
  subscribe: endpoint('member', subscriptionSchema, deviceSchema, {
    status: 201,
    limits: [{ max: 20, by: 'account' }],
  }),
  unsubscribe: endpoint('member', idInputSchema, v.void(), {
    status: 204,
  }),
  /** 429 while another test of the member is being sent. */
  test: endpoint('member', idInputSchema, PushTestResult, {
    limits: [{ max: 10, by: 'account' }],
  }),
}

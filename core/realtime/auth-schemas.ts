import * as v from 'valibot'
import { endpoint, limitedArray } from '#core/schemas.ts'
import { MAX_AUTH_CHANNELS } from './auth-contract.ts'

const channelName = v.pipe(v.string('string'), v.maxLength(200, 'max:200'))
const signature = v.object({ auth: v.string(), channel_data: v.exactOptional(v.string()) })
const authorise = endpoint(
  'member',
  v.object({
    socket_id: v.pipe(v.string('string'), v.maxLength(50, 'invalid'), v.regex(/^\d+\.\d+$/, 'invalid')),
    channel_name: v.union([channelName, limitedArray(channelName, MAX_AUTH_CHANNELS, 1)], 'string'),
  }),
  v.union([signature, v.array(v.nullable(signature))]),
  { acceptsForm: true, errorStatuses: [403] },
)

export const realtimeSchemas = {
  /**
   * Signs a client's subscriptions, and binds its connection to the member. Pusher clients send JSON or a form
   * with the name of one channel; the response is its signature, or 403 if the member may not subscribe to it.
   * In JSON, `channel_name` may also be an array of names. Then the response is an array with a signature for
   * each name, in the same order, or null for each channel to which the member may not subscribe.
   */
  authorise,
  /** The path that Laravel and Echo use by default. */
  authoriseByLaravelName: authorise,
  /**
   * Signs the data with which a client signs its user in on a WebSocket connection (`pusher:signin`). After
   * that, the connection may subscribe to the channel of this user.
   */
  authoriseUser: endpoint(
    'member',
    v.object({ socket_id: v.pipe(v.string('string'), v.regex(/^\d+\.\d+$/, 'invalid')) }),
    v.object({ auth: v.string(), user_data: v.string() }),
    { acceptsForm: true },
  ),
}

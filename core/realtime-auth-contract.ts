import * as v from 'valibot'
import { defineEndpoint } from '#core/contract.ts'

/**
 * Signs a client's subscription to a channel, and binds its connection to the member. Pusher clients send
 * JSON or a form.
 */
export const realtimeChannelAuthEndpoint = defineEndpoint(
  'POST /my-broadcast-auth',
  'member',
  v.object({
    socket_id: v.pipe(v.string('string'), v.maxLength(50, 'invalid'), v.regex(/^\d+\.\d+$/, 'invalid')),
    channel_name: v.pipe(v.string('string'), v.maxLength(200, 'max:200')),
  }),
  v.object({ auth: v.string(), channel_data: v.exactOptional(v.string()) }),
  { acceptsForm: true, errorStatuses: [403] },
)

/**
 * Signs the data with which a client signs its user in on a WebSocket connection (`pusher:signin`). After
 * that, the connection may subscribe to the channel of this user.
 */
export const realtimeUserAuthEndpoint = defineEndpoint(
  'POST /broadcasting/user-auth',
  'member',
  v.object({ socket_id: v.pipe(v.string('string'), v.regex(/^\d+\.\d+$/, 'invalid')) }),
  v.object({ auth: v.string(), user_data: v.string() }),
  { acceptsForm: true },
)

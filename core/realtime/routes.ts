import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { HttpError, httpErrorFactories } from '#core/http/errors.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'
import { realtimeChannelAuthEndpoint, realtimeUserAuthEndpoint } from '#core/realtime-auth-contract.ts'

export const realtimeEndpoints = {
  authorise: realtimeChannelAuthEndpoint,
  /** Signs subscriptions as `authorise` does, at the path that Laravel and Echo use by default. */
  authoriseByLaravelName: { ...realtimeChannelAuthEndpoint, path: '/broadcasting/auth' },
  authoriseUser: realtimeUserAuthEndpoint,
}
type RealtimeHandlers = EndpointHandlers<typeof realtimeEndpoints>

const authoriseChannel: RealtimeHandlers['authorise'] = async ({ realtime, me, session, input }) => {
  const { socket_id, channel_name } = input
  const names = [channel_name].flat()
  const signed = await realtime.authorise(me.id, session.token, socket_id, names)
  // Checks the session after the connection is bound to the user, so that a log-out or a suspension meanwhile
  // ends either this request or the connection.
  if (!(await session.isValid())) {
    realtime.revoke({ session: hashSessionToken(session.token) })
    throw httpErrorFactories.unauthenticated()
  }
  if (Array.isArray(channel_name)) return signed
  if (signed[0]) return signed[0]
  throw new HttpError(403, {
    en: 'This channel is not open to you.',
    ja: 'このチャンネルには参加できません。',
  })
}

export const realtimeEndpointHandlers: RealtimeHandlers = {
  authorise: authoriseChannel,
  authoriseByLaravelName: authoriseChannel,
  async authoriseUser({ realtime, me, session, input }) {
    const signed = await realtime.authoriseUser(me.id, session.token, input.socket_id)
    if (await session.isValid()) return signed
    realtime.revoke({ session: hashSessionToken(session.token) })
    throw httpErrorFactories.unauthenticated()
  },
}

import type { Handlers } from '#core/http/endpoints.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import { hashSession } from '#core/realtime/authorisation.ts'
import { joinEndpoints } from '#core/schemas.ts'
import { realtimeEndpoints } from './auth-contract.ts'
import { realtimeSchemas } from './auth-schemas.ts'

export const realtimeContract = joinEndpoints(realtimeEndpoints, realtimeSchemas)
type RealtimeHandlers = Handlers<typeof realtimeEndpoints>

const authoriseChannel: RealtimeHandlers['authorise'] = async ({ realtime, me, session, input }) => {
  const { socket_id, channel_name } = input
  const names = [channel_name].flat()
  const signed = await realtime.authorise(me.id, session.token, socket_id, names)
  // After the connection is bound, so that a log-out or suspension meanwhile ends either this request or the
  // connection.
  if (!(await session.isValid())) {
    realtime.revoke({ session: hashSession(session.token) })
    throw httpErrors.unauthenticated()
  }
  if (Array.isArray(channel_name)) return signed
  if (signed[0]) return signed[0]
  throw new HttpError(403, {
    en: 'This channel is not open to you.',
    ja: 'このチャンネルには参加できません。',
  })
}

export const realtimeHandlers: RealtimeHandlers = {
  authorise: authoriseChannel,
  authoriseByLaravelName: authoriseChannel,
  async authoriseUser({ realtime, me, session, input }) {
    const signed = await realtime.authoriseUser(me.id, session.token, input.socket_id)
    if (await session.isValid()) return signed
    realtime.revoke({ session: hashSession(session.token) })
    throw httpErrors.unauthenticated()
  },
}

import { authorise, authoriseUser } from '#core/contract.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { errors, HttpError } from '#core/http/errors.ts'

export const realtimeEndpoints = {
  authorise,
  /** The same call by the name that Laravel and Echo use by default. */
  authoriseByLaravelName: { ...authorise, path: '/broadcasting/auth' },
  authoriseUser,
}
type RealtimeHandlers = Handlers<typeof realtimeEndpoints>

const authoriseChannel: RealtimeHandlers['authorise'] = async ({ realtime, me, session, input }) => {
  const signed = await realtime.authorise(me.id, session.token, input.socket_id, input.channel_name)
  // Checked after the connection is bound to the user, so that a log-out or a suspension meanwhile ends
  // either this request or the connection.
  if (!(await session.isAlive())) {
    realtime.revoke({ session: session.token })
    throw errors.unauthenticated()
  }
  if (signed) return signed
  throw new HttpError(403, {
    en: 'This channel is not open to you.',
    ja: 'このチャンネルには参加できません。',
  })
}

export const realtimeRoutes: RealtimeHandlers = {
  authorise: authoriseChannel,
  authoriseByLaravelName: authoriseChannel,
  async authoriseUser({ realtime, me, session, input }) {
    const signed = await realtime.authoriseUser(me.id, session.token, input.socket_id)
    if (await session.isAlive()) return signed
    realtime.revoke({ session: session.token })
    throw errors.unauthenticated()
  },
}

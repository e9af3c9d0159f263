import { httpErrors } from '#core/http/errors.ts'
import { type Authorisation, hashSession } from '#core/realtime/authorisation.ts'
import { type BusMessage, GLOBAL_TOPIC, type ProcessBus } from '#core/realtime/bus.ts'
import { isPresenceChannel, isPublicChannel } from '#core/realtime/channels.ts'
import type { Connections } from '#core/realtime/connections.ts'
import { signUserData } from '#core/realtime/user-events.ts'

interface Services {
  authorisation: Authorisation
  bus: ProcessBus
  connections: Connections
}

export function createAuthoriser({ authorisation, bus, connections }: Services) {
  /**
   * Throws if the connection's process cannot be reached: it could not end the user's subscriptions later.
   */
  async function bindToUser(connection: string, user: number, session: string) {
    const message: BusMessage = { kind: 'bind', connection, user, session: hashSession(session) }
    const hasLeft = await bus.publish(GLOBAL_TOPIC, message)
    if (!hasLeft && !connections.has(connection)) throw httpErrors.unavailable()
  }

  /** `info` is the answer of the channel's guard. */
  function sign(me: number, connectionId: string, channel: string, info: boolean | object) {
    if (!info) return null
    if (!isPresenceChannel(channel)) return { auth: authorisation.sign(connectionId, channel) }
    const channel_data = JSON.stringify({ user_id: String(me), user_info: info === true ? {} : info })
    return { auth: authorisation.sign(connectionId, channel, channel_data), channel_data }
  }

  return {
    /**
     * Null for a public, unguarded or refused channel. Binds the connection to the user if any is allowed.
     */
    async authorise(me: number, session: string, connectionId: string, channels: readonly string[]) {
      const infos = await Promise.all(
        channels.map(async (channel) => !isPublicChannel(channel) && authorisation.guardOf(channel)?.(me)),
      )
      if (infos.some(Boolean)) await bindToUser(connectionId, me, session)
      return channels.map((channel, index) => sign(me, connectionId, channel, infos[index] || false))
    },
    /** Signs the user data for `pusher:signin`, and binds the connection to the user. */
    async authoriseUser(me: number, session: string, connectionId: string) {
      await bindToUser(connectionId, me, session)
      return signUserData(authorisation, connectionId, me)
    },
  }
}
export type Authoriser = ReturnType<typeof createAuthoriser>

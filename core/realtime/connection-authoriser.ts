import { httpErrorFactories } from '#core/http/errors.ts'
import { type ChannelGuardRegistryAndSigner, hashSessionToken } from '#core/realtime/authorisation.ts'
import { GLOBAL_PROCESS_BUS_TOPIC, type ProcessBus, type ProcessBusMessage } from '#core/realtime/bus.ts'
import { isPresenceChannel, isPublicChannel } from '#core/realtime/channels.ts'
import type { OpenWebSocketConnections } from '#core/realtime/connections.ts'
import { createSignedPusherUserData } from '#core/realtime/user-events.ts'

interface Services {
  authorisation: ChannelGuardRegistryAndSigner
  bus: ProcessBus
  connections: OpenWebSocketConnections
}

/** Creates the service that signs subscriptions and sign-ins, and binds the connections to their users. */
export function createPusherSubscriptionAndSignInSigner({ authorisation, bus, connections }: Services) {
  /**
   * Tells the process that has the connection which user the connection belongs to, before the client can
   * subscribe. A process that does not know the user could not end their subscriptions. So this throws if
   * that process cannot be reached.
   */
  async function bindToUser(connection: string, user: number, session: string) {
    const message: ProcessBusMessage = { kind: 'bind', connection, user, session: hashSessionToken(session) }
    const hasLeft = await bus.publish(GLOBAL_PROCESS_BUS_TOPIC, message)
    if (!hasLeft && !connections.has(connection)) throw httpErrorFactories.unavailable()
  }

  /** Signs a subscription. `info` is the answer of the channel's guard. */
  function sign(me: number, connectionId: string, channel: string, info: boolean | object) {
    if (!info) return null
    if (!isPresenceChannel(channel)) return { auth: authorisation.sign(connectionId, channel) }
    const channel_data = JSON.stringify({ user_id: String(me), user_info: info === true ? {} : info })
    return { auth: authorisation.sign(connectionId, channel, channel_data), channel_data }
  }

  return {
    /**
     * Signs subscriptions. Returns a signature for each channel, or null for each channel that is public or
     * has no guard, or whose guard does not allow it. Binds the connection to the user if any guard allows
     * its channel.
     */
    async authorise(me: number, session: string, connectionId: string, channels: readonly string[]) {
      const infos = await Promise.all(
        channels.map(async (channel) => !isPublicChannel(channel) && authorisation.guardOf(channel)?.(me)),
      )
      if (infos.some(Boolean)) await bindToUser(connectionId, me, session)
      return channels.map((channel, index) => sign(me, connectionId, channel, infos[index] || false))
    },
    /** Returns signed user data for `pusher:signin`, and binds the connection to the user. */
    async authoriseUser(me: number, session: string, connectionId: string) {
      await bindToUser(connectionId, me, session)
      return createSignedPusherUserData(authorisation, connectionId, me)
    },
  }
}
export type PusherSubscriptionAndSignInSigner = ReturnType<typeof createPusherSubscriptionAndSignInSigner>

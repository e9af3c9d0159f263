import { parseJsonOrUndefined } from '#core/json.ts'
import type { ChannelGuardRegistryAndSigner } from '#core/realtime/authorisation.ts'
import type { WebSocketConnection } from '#core/realtime/connection.ts'

// Users sign in on a connection (https://pusher.com/docs/channels/using_channels/user-authentication/).
// Servers send events to a user through the channel that `toUserChannelName` names. Only the user's
// connections can subscribe to it.

const PREFIX = '#server-to-user-'

export const isUserChannel = (name: string) => name.startsWith(PREFIX)
export const toUserChannelName = (id: string) => PREFIX + id

/** Returns the parts of the text that is signed for a sign-in. `sign` joins them with colons. */
const signedParts = (connectionId: string, userData: string) => [connectionId, '', 'user', '', userData]

export function createSignedPusherUserData(
  authorisation: ChannelGuardRegistryAndSigner,
  connectionId: string,
  id: number,
) {
  const user_data = JSON.stringify({ id: String(id) })
  return { auth: authorisation.sign(...signedParts(connectionId, user_data)), user_data }
}

/**
 * Answers `pusher:signin`. Closes the connection if the signature is wrong, if the data has no user id, or if
 * the connection belongs to another user.
 */
export function signInPusherConnection(
  connection: WebSocketConnection,
  auth: string,
  userData: string,
  authorisation: ChannelGuardRegistryAndSigner,
) {
  const { id } = (parseJsonOrUndefined(userData) ?? {}) as { id?: unknown }
  const isNamed = (typeof id === 'string' && id !== '') || typeof id === 'number'
  const user = String(id)
  const isSigned = authorisation.isSigned(auth, ...signedParts(connection.id, userData))
  // Lists other users to whom the connection belongs, by its member or an earlier sign-in, because a
  // connection belongs to one user.
  const others = [connection.user?.id.toString(), connection.signedInAs].filter((one) => one && one !== user)
  if (!isNamed || !isSigned || others.length) return connection.close(4009, 'Connection not authorized')
  connection.signedInAs = user
  connection.send('pusher:signin_success', { user_data: userData })
}

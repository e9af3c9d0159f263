import type { Authorisation } from '#core/realtime/authorisation.ts'
import type { Connection } from '#core/realtime/connection.ts'
import { parseJson } from '#core/text/json.ts'

// Users sign in on a connection (https://pusher.com/docs/channels/using_channels/user-authentication/). Only
// their connections can subscribe to the channel of `userChannel`.

const PREFIX = '#server-to-user-'

export const isUserChannel = (name: string) => name.startsWith(PREFIX)
export const userChannel = (id: string) => PREFIX + id

/** Joined with colons, they are signed for a sign-in. */
const signedParts = (connectionId: string, userData: string) => [connectionId, '', 'user', '', userData]

export function signUserData(authorisation: Authorisation, connectionId: string, id: number) {
  const user_data = JSON.stringify({ id: String(id) })
  return { auth: authorisation.sign(...signedParts(connectionId, user_data)), user_data }
}

/** Closes it if the signature is wrong, the data has no user id, or it belongs to another user. */
export function signInConnection(
  connection: Connection,
  auth: string,
  userData: string,
  authorisation: Authorisation,
) {
  const { id } = (parseJson(userData) ?? {}) as { id?: unknown }
  const isNamed = (typeof id === 'string' && id !== '') || typeof id === 'number'
  const user = String(id)
  const isSigned = authorisation.isSigned(auth, ...signedParts(connection.id, userData))
  // Its member or an earlier sign-in: a connection belongs to one user.
  const others = [connection.user?.id.toString(), connection.signedInAs].filter((one) => one && one !== user)
  if (!isNamed || !isSigned || others.length) return connection.close(4009, 'Connection not authorized')
  connection.signedInAs = user
  connection.send('pusher:signin_success', { user_data: userData })
}

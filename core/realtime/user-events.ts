import { parseJson } from '#core/json.ts'
import type { Authorisation } from '#core/realtime/authorisation.ts'
import type { Connection } from '#core/realtime/connection.ts'

// Users sign in on a connection (https://pusher.com/docs/channels/using_channels/user-authentication/).
// Servers send events to a user by a channel of this name, which only the user's connections can subscribe
// to.

const PREFIX = '#server-to-user-'

export const isUserChannel = (name: string) => name.startsWith(PREFIX)
export const userChannel = (id: string) => PREFIX + id

/** The text that a sign-in is signed over, in parts that are joined by colons. */
const signedParts = (connectionId: string, userData: string) => [connectionId, '', 'user', '', userData]

export function signUser(authorisation: Authorisation, connectionId: string, id: number) {
  const user_data = JSON.stringify({ id: String(id) })
  return { auth: authorisation.sign(...signedParts(connectionId, user_data)), user_data }
}

/** Answers `pusher:signin`. A wrong signature closes the connection. */
export function signIn(connection: Connection, auth: string, userData: string, authorisation: Authorisation) {
  const { id } = (parseJson(userData) ?? {}) as { id?: unknown }
  const isNamed = (typeof id === 'string' && id !== '') || typeof id === 'number'
  const user = String(id)
  const isSigned = authorisation.isSigned(auth, ...signedParts(connection.id, userData))
  // A connection belongs to one user: neither its member nor an earlier sign-in may be of another.
  const others = [connection.user?.id.toString(), connection.signedInAs].filter((one) => one && one !== user)
  if (!isNamed || !isSigned || others.length) return connection.close(4009, 'Connection not authorized')
  connection.signedInAs = user
  connection.send('pusher:signin_success', { user_data: userData })
}

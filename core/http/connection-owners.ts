import type { Socket } from 'node:net'

const claims = new WeakMap<Socket, (owner: string) => void>()

/** Sets the function that counts a connection of an IP address for somebody else from now on. */
export const setClaim = (socket: Socket, claim: (owner: string) => void) => claims.set(socket, claim)

/**
 * Counts a connection for a member, and no longer for its IP address, once a request has shown whose it is.
 */
export const countFor = (socket: Socket, owner: string) => claims.get(socket)?.(owner)

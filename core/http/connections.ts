import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'
import { setClaim } from '#core/http/connection-owners.ts'
import { clientAddress } from '#core/http/hosts.ts'
import { type MemberOf, networkOf, tooManyRequests } from '#core/http/rate-limits.ts'

/**
 * Timeouts of node:http, in milliseconds. `headersTimeout` also closes connections that stay silent after
 * they were opened. `requestTimeout` is long, because a body may be 40 MB of pictures over a slow mobile
 * connection.
 */
export const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000,
}

const connectionLimits = {
  /**
   * The maximum number of connections of the server: enough for all WebSockets and for requests. Node drops
   * further ones, so that file handles stay free for the database.
   */
  maxConnections: 25_000,
  /**
   * The maximum number of connections of the visitors of one IP address, or of one member, including
   * WebSockets, and behind a proxy also of their concurrent requests. A browser opens up to six connections,
   * and closes idle ones.
   */
  maxPerAddress: 400,
  /** Milliseconds until a connection is closed because its client does not read the response. */
  stalledAfter: 60_000,
  /** Milliseconds after which a connection that is in use may be replaced by a new one of its address. */
  replaceableAfter: 5000,
}
type ConnectionLimits = typeof connectionLimits
type Limited = Pick<Config, 'RATE_LIMIT' | 'TRUST_PROXY'>

/**
 * Limits the connections of the server and of each IP address, and closes stalled connections. At the
 * limit of an address, a new connection replaces the oldest idle one of the address; if none is idle, the
 * oldest one that is not new. So people who share an address are not shut out, whatever a visitor among them
 * holds open. If all are new, the new connection is closed. Once a request has shown that a connection is a
 * member's, it counts for the member, and no visitor replaces it. The addresses of proxies in TRUST_PROXY are
 * not limited; with RATE_LIMIT=off, no address is.
 */
export function limitConnections(
  server: Server,
  { RATE_LIMIT, TRUST_PROXY }: Limited,
  given: Partial<ConnectionLimits> = {},
) {
  const { maxConnections, maxPerAddress, stalledAfter, replaceableAfter } = { ...connectionLimits, ...given }
  const isIdle = closeStalled(server, stalledAfter)
  server.maxConnections = maxConnections
  if (!RATE_LIMIT) return
  const isProxy = proxyAddr.compile(TRUST_PROXY)
  /**
   * The open connections of each address or member, the oldest first, each with the time of its beginning.
   */
  const connections = new Map<string, Map<Socket, number>>()

  function findReplaceable(open: Map<Socket, number>) {
    const before = performance.now() - replaceableAfter
    const idle = open.keys().find(isIdle)
    return idle ?? open.entries().find(([, since]) => since <= before)?.[0]
  }

  function add(owner: string, socket: Socket) {
    const open = connections.get(owner) ?? new Map<Socket, number>()
    if (open.size >= maxPerAddress) {
      const replaced = findReplaceable(open)
      if (!replaced) return false
      open.delete(replaced)
      replaced.destroy()
    }
    connections.set(owner, open.set(socket, performance.now()))
    return true
  }

  function remove(owner: string, socket: Socket) {
    const open = connections.get(owner)
    open?.delete(socket)
    if (open?.size === 0) connections.delete(owner)
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isProxy(address, 0)) return
    let owner = networkOf(address)
    if (!add(owner, socket)) return socket.destroy()
    setClaim(socket, (next) => {
      if (next === owner || socket.destroyed) return
      remove(owner, socket)
      owner = next
      if (!add(owner, socket)) socket.destroy()
    })
    socket.once('close', () => remove(owner, socket))
  })
}

/**
 * Closes a connection on which no byte was sent or received for `stalledAfter` ms, unless the server is
 * still preparing the response. This ends connections whose clients do not read the response; a client that
 * reads slowly keeps its connection. `ws` switches this timeout off for WebSockets. Returns a function that
 * tells whether a connection is idle, which means that it waits for its first byte or for the next request.
 */
function closeStalled(server: Server, stalledAfter: number) {
  const responses = new WeakMap<Socket, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) =>
    responses.set(socket, response),
  )
  server.setTimeout(stalledAfter, (socket: Socket) => {
    const response = responses.get(socket)
    const isAtWork = response !== undefined && !response.writableEnded && !socket.writableLength
    if (!isAtWork) socket.destroy()
  })
  return (socket: Socket) => {
    const response = responses.get(socket)
    // A connection is idle if its last response is sent, or if its client has sent no byte. A WebSocket is
    // never idle: it is recognised by its timeout of 0, because its socket may have served a request before.
    return response ? response.writableFinished && socket.timeout !== 0 : socket.bytesRead === 0
  }
}

/** The Retry-After value, in seconds, for a client with too many concurrent requests. */
const RETRY_AFTER = 10

/**
 * Limits the concurrent requests of each IP address behind a proxy, where one connection carries the
 * requests of many clients. At the limit of an address, those of a member count for the member. Does nothing
 * with RATE_LIMIT=off.
 */
export function limitProxied(
  app: FastifyInstance,
  { RATE_LIMIT, TRUST_PROXY }: Limited,
  memberOf: MemberOf,
  { maxPerAddress = connectionLimits.maxPerAddress }: Partial<ConnectionLimits> = {},
) {
  if (!RATE_LIMIT || !TRUST_PROXY.length) return
  const counts = new Map<string, number>()
  const isFull = (owner: string) => (counts.get(owner) ?? 0) >= maxPerAddress

  async function findOwner(request: FastifyRequest) {
    const network = networkOf(clientAddress(request))
    if (!isFull(network)) return network
    const member = await memberOf(request)
    const owner = `member ${member}`
    if (member === null || isFull(owner)) throw tooManyRequests(RETRY_AFTER)
    return owner
  }

  app.addHook('onRequest', async (request, reply) => {
    const owner = await findOwner(request)
    if (reply.raw.destroyed) return
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
    reply.raw.once('close', () => {
      const left = counts.get(owner)! - 1
      if (left) counts.set(owner, left)
      else counts.delete(owner)
    })
  })
}

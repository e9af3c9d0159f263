import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#core/config.ts'
import { readClientIpAddress } from '#core/http/hosts.ts'
import { createTooManyRequestsError, toClientIpNetwork } from '#core/http/rate-limits.ts'

/**
 * Timeouts of node:http, in milliseconds. `headersTimeout` also closes connections that stay silent after
 * they were opened. `requestTimeout` is long, because a body may be 40 MB of pictures over a slow mobile
 * connection.
 */
export const httpServerTimeouts = {
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
   * The maximum number of connections of one IP address, including WebSockets, and behind a proxy also of
   * its concurrent requests. A browser opens up to six connections, and closes idle ones.
   */
  maxPerAddress: 400,
  /** Milliseconds until a connection is closed because its client does not read the response. */
  stalledAfter: 60_000,
}
type ConnectionLimits = typeof connectionLimits
type Limited = Pick<Config, 'RATE_LIMIT' | 'TRUST_PROXY'>

/**
 * Limits the connections of the server and of each IP address, and closes stalled connections. At the
 * limit of an address, a new connection replaces the oldest idle one of the address, so that people who
 * share an address are not shut out. If none is idle, the new connection is closed. The addresses of
 * proxies in TRUST_PROXY are not limited; with RATE_LIMIT=off, no address is.
 */
export function limitHttpServerConnections(
  server: Server,
  { RATE_LIMIT, TRUST_PROXY }: Limited,
  given: Partial<ConnectionLimits> = {},
) {
  const { maxConnections, maxPerAddress, stalledAfter } = { ...connectionLimits, ...given }
  const isIdle = closeStalled(server, stalledAfter)
  server.maxConnections = maxConnections
  if (!RATE_LIMIT) return
  const isProxy = proxyAddr.compile(TRUST_PROXY)
  const connections = new Map<string, Set<Socket>>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isProxy(address, 0)) return
    const network = toClientIpNetwork(address)
    const open = connections.get(network) ?? new Set()
    if (open.size >= maxPerAddress) {
      const idle = open.values().find(isIdle)
      if (!idle) return socket.destroy()
      open.delete(idle)
      idle.destroy()
    }
    connections.set(network, open.add(socket))
    socket.once('close', () => {
      open.delete(socket)
      if (!open.size && connections.get(network) === open) connections.delete(network)
    })
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
 * requests of many clients. Does nothing with RATE_LIMIT=off.
 */
export function limitConcurrentProxiedRequests(
  app: FastifyInstance,
  { RATE_LIMIT, TRUST_PROXY }: Limited,
  { maxPerAddress = connectionLimits.maxPerAddress }: Partial<ConnectionLimits> = {},
) {
  if (!RATE_LIMIT || !TRUST_PROXY.length) return
  const counts = new Map<string, number>()
  app.addHook('onRequest', async (request, reply) => {
    if (reply.raw.destroyed) return
    const network = toClientIpNetwork(readClientIpAddress(request))
    const count = counts.get(network) ?? 0
    if (count >= maxPerAddress) throw createTooManyRequestsError(RETRY_AFTER)
    counts.set(network, count + 1)
    reply.raw.once('close', () => {
      const left = counts.get(network)! - 1
      if (left) counts.set(network, left)
      else counts.delete(network)
    })
  })
}

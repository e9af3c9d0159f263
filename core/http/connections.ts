import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#core/config.ts'
import { addressOf } from '#core/http/hosts.ts'
import { networkOf, tooOften } from '#core/http/rate-limits.ts'

/**
 * Options of node:http, in milliseconds. Headers take a packet or two, so a connection that stays silent
 * after it was opened ends with their timeout. A body may be 40 MB of pictures over a slow phone.
 */
export const timeouts = { headersTimeout: 10_000, requestTimeout: 300_000, connectionsCheckingInterval: 2000 }

const limits = {
  /**
   * All connections of the server: enough for all WebSockets and for requests. Node drops further ones, so
   * that file handles stay free for the database.
   */
  most: 25_000,
  /** Connections of one address, WebSockets among them: a browser opens up to six, and closes idle ones. */
  mostOfAddress: 400,
  /** Milliseconds after which a connection ends that takes nothing of an answer. */
  stalledAfter: 60_000,
}
type ConnectionLimits = typeof limits
type Limited = Pick<Config, 'RATE_LIMIT' | 'TRUST_PROXY'>

/**
 * Limits the connections of each address. Where an address has too many, its oldest idle one makes room for
 * a new one, so that people behind one address are not shut out; if all are in use, the new one ends. A
 * proxy of TRUST_PROXY has as many as it needs. Counts nothing with RATE_LIMIT=off.
 */
export function limitConnections(
  server: Server,
  { RATE_LIMIT, TRUST_PROXY }: Limited,
  given: Partial<ConnectionLimits> = {},
) {
  const { most, mostOfAddress, stalledAfter } = { ...limits, ...given }
  const isIdle = endStalled(server, stalledAfter)
  server.maxConnections = most
  if (!RATE_LIMIT) return
  const isProxy = proxyAddr.compile(TRUST_PROXY)
  const connections = new Map<string, Set<Socket>>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isProxy(address, 0)) return
    const network = networkOf(address)
    const open = connections.get(network) ?? new Set()
    if (open.size >= mostOfAddress) {
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
 * Ends connections whose client takes nothing of its answer for `stalledAfter`. Node's timer restarts
 * whenever bytes move, so a slow client that reads on is safe, and `ws` switches it off for WebSockets.
 * Returns whether a connection waits for a request, or for its first byte.
 */
function endStalled(server: Server, stalledAfter: number) {
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
    // A WebSocket has no timeout, and may have been opened after another request.
    return response ? response.writableFinished && socket.timeout !== 0 : socket.bytesRead === 0
  }
}

/** Seconds after which a client may try again that has too many requests under way. */
const RETRY_AFTER = 10

/**
 * Limits the requests of each address that are under way, where proxies stand before the server: their
 * connections are those of many clients. Counts nothing with RATE_LIMIT=off.
 */
export function limitRequestsUnderWay(
  app: FastifyInstance,
  { RATE_LIMIT, TRUST_PROXY }: Limited,
  { mostOfAddress = limits.mostOfAddress }: Partial<ConnectionLimits> = {},
) {
  if (!RATE_LIMIT || !TRUST_PROXY.length) return
  const counts = new Map<string, number>()
  app.addHook('onRequest', async (request, reply) => {
    if (reply.raw.destroyed) return
    const network = networkOf(addressOf(request))
    const count = counts.get(network) ?? 0
    if (count >= mostOfAddress) throw tooOften(RETRY_AFTER)
    counts.set(network, count + 1)
    reply.raw.once('close', () => {
      const left = counts.get(network)! - 1
      if (left) counts.set(network, left)
      else counts.delete(network)
    })
  })
}

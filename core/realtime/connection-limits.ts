import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '#core/config.ts'
import { hasAtMostOneHostHeader, rewriteForwardedForHeaderWithoutPorts } from '#core/http/hosts.ts'
import { toClientIpNetwork } from '#core/http/rate-limits.ts'
import type { RealtimeTokenBuckets } from '#core/realtime/token-buckets.ts'

/**
 * The maximum number of WebSockets that the clients of one IP address (for IPv6, of one network) may have
 * open to this process: enough for a school or an office behind one address, too few for a script to take
 * all connections of the server.
 */
const MAX_PER_ADDRESS = 200

/**
 * A WebSocket upgrade that the limits have accepted. `key` and `query` come from its URL, `/app/KEY?QUERY`.
 */
export interface WebSocketUpgradeWithinLimits {
  /** The network of the client's IP address, as `toClientIpNetwork` returns it. */
  address: string
  request: IncomingMessage
  socket: Duplex
  head: Buffer
  key: string
  query: URLSearchParams
}

/**
 * Calls `accept` for each WebSocket upgrade of a Pusher client (`/app/KEY`). Responds with 429 instead if
 * the client's IP address has too many WebSockets open, or opens too many in a short time. Responds with
 * 404 to an upgrade to another path, and with 400 to an upgrade with several Host headers.
 */
export function listenForWebSocketUpgrades(
  server: Server,
  config: Config,
  tokenBuckets: RealtimeTokenBuckets,
  accept: (upgrade: WebSocketUpgradeWithinLimits) => void,
) {
  const limits = createConnectionLimits(config, tokenBuckets)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!hasAtMostOneHostHeader(request)) return rejectUpgrade(socket, '400 Bad Request')
    const url = URL.parse(request.url ?? '', 'http://localhost')
    const key = /^\/app\/([^/]+)$/.exec(url?.pathname ?? '')?.[1]
    if (key !== undefined) {
      const address = limits.admit(request, socket)
      if (address !== null) accept({ request, socket, head, address, key, query: url!.searchParams })
    }
    // Rejects an upgrade to another path, except in development, where Vite also listens and handles it.
    else if (server.listenerCount('upgrade') === 1) rejectUpgrade(socket, '404 Not Found')
  })
}

/**
 * Creates the counter of the open WebSockets of each IP address. Upgrades do not pass through Fastify, so
 * the counter itself finds the client's address, in the same way as Fastify (TRUST_PROXY). Counts nothing
 * with RATE_LIMIT=off.
 */
function createConnectionLimits(
  { RATE_LIMIT, TRUST_PROXY }: Pick<Config, 'RATE_LIMIT' | 'TRUST_PROXY'>,
  tokenBuckets: RealtimeTokenBuckets,
) {
  const counts = new Map<string, number>()
  const trusted = proxyAddr.compile(TRUST_PROXY)
  return {
    /**
     * Counts the socket until it closes, and returns the network of the client's IP address. If this network
     * has too many sockets, or opens too many in a short time, answers with 429 and returns null.
     */
    admit(request: IncomingMessage, socket: Duplex): string | null {
      if (TRUST_PROXY.length) rewriteForwardedForHeaderWithoutPorts(request)
      const address = toClientIpNetwork(proxyAddr(request, trusted) ?? '')
      if (!RATE_LIMIT) return address
      const count = counts.get(address) ?? 0
      if (count >= MAX_PER_ADDRESS || !tokenBuckets.consume('connections', { address, user: null })) {
        rejectUpgrade(socket, '429 Too Many Requests\r\nretry-after: 60')
        return null
      }
      counts.set(address, count + 1)
      socket.once('close', () => {
        const left = counts.get(address)! - 1
        if (left) counts.set(address, left)
        else counts.delete(address)
      })
      return address
    },
  }
}

/**
 * Answers an upgrade and closes the socket. `status` is the status code with its text, and may contain
 * further header lines.
 */
const rejectUpgrade = (socket: Duplex, status: string) =>
  socket.once('finish', () => socket.destroy()).end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '#core/config.ts'
import { countConnectionFor } from '#core/http/connection-owners.ts'
import { hasAtMostOneHostHeader, rewriteForwardedForHeaderWithoutPorts } from '#core/http/hosts.ts'
import { type MemberOf, toClientIpNetwork } from '#core/http/rate-limits.ts'
import type { RealtimeTokenBuckets } from '#core/realtime/token-buckets.ts'

/**
 * The maximum number of WebSockets to this process of the visitors of one IP address (for IPv6, of one
 * network), and of one member. A school or an office may share one address: its members do not take the
 * places of its visitors, nor visitors those of members.
 */
const MAX_OPEN = { visitors: 200, member: 50 }

/**
 * A WebSocket upgrade that the limits have accepted. `key` and `query` come from its URL, `/app/KEY?QUERY`.
 */
export interface WebSocketUpgradeWithinLimits {
  /** The network of the client's IP address, as `toClientIpNetwork` returns it. */
  address: string
  /**
   * The id of the member whose cookies came with the upgrade; null for a visitor, and for clients without.
   */
  member: number | null
  request: IncomingMessage
  socket: Duplex
  head: Buffer
  key: string
  query: URLSearchParams
}

/**
 * Calls `accept` for each WebSocket upgrade of a Pusher client (`/app/KEY`). Responds with 429 instead if the
 * member, or the visitors of the client's IP address, have too many WebSockets open, or open too many in a
 * short time. Responds with 404 to an upgrade to another path, and with 400 to an upgrade with several Host
 * headers.
 */
export function listenForWebSocketUpgrades(
  server: Server,
  config: Config,
  tokenBuckets: RealtimeTokenBuckets,
  memberOf: MemberOf,
  accept: (upgrade: WebSocketUpgradeWithinLimits) => void,
) {
  const limits = createConnectionLimits(config, tokenBuckets)
  server.on('upgrade', async (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!hasAtMostOneHostHeader(request)) return rejectUpgrade(socket, '400 Bad Request')
    const url = URL.parse(request.url ?? '', 'http://localhost')
    const key = /^\/app\/([^/]+)$/.exec(url?.pathname ?? '')?.[1]
    if (key !== undefined) {
      const member = await memberOf(request).catch(() => null)
      if (socket.destroyed) return
      if (member !== null) countConnectionFor(socket, `member ${member}`)
      const address = limits.admit(request, socket, member)
      if (address !== null) accept({ request, socket, head, address, member, key, query: url!.searchParams })
    }
    // Rejects an upgrade to another path, except in development, where Vite also listens and handles it.
    else if (server.listenerCount('upgrade') === 1) rejectUpgrade(socket, '404 Not Found')
  })
}

const movers = new WeakMap<Duplex, (member: number) => void>()

/**
 * Counts a WebSocket for a member from now on, and no longer for its address: it is bound to the member, but
 * no cookie came with its upgrade, as from an app.
 */
export function countWebSocketFor(socket: Duplex, member: number) {
  movers.get(socket)?.(member)
  countConnectionFor(socket as Socket, `member ${member}`)
}

/**
 * Creates the counter of the open WebSockets of each member and of the visitors of each address. Upgrades do
 * not pass through Fastify, so the counter itself finds the client's address, in the same way as Fastify
 * (TRUST_PROXY). Counts nothing with RATE_LIMIT=off.
 */
function createConnectionLimits(
  { RATE_LIMIT, TRUST_PROXY }: Pick<Config, 'RATE_LIMIT' | 'TRUST_PROXY'>,
  tokenBuckets: RealtimeTokenBuckets,
) {
  const counts = new Map<string | number, number>()
  const trusted = proxyAddr.compile(TRUST_PROXY)
  function release(owner: string | number) {
    const left = counts.get(owner)! - 1
    if (left) counts.set(owner, left)
    else counts.delete(owner)
  }
  return {
    /**
     * Counts the socket until it closes, and returns the network of the client's IP address. If the member,
     * or the visitors of this network, have too many sockets, or open too many in a short time, answers with
     * 429 and returns null.
     */
    admit(request: IncomingMessage, socket: Duplex, member: number | null): string | null {
      if (TRUST_PROXY.length) rewriteForwardedForHeaderWithoutPorts(request)
      const address = toClientIpNetwork(proxyAddr(request, trusted) ?? '')
      if (!RATE_LIMIT) return address
      let owner = member ?? address
      const max = member === null ? MAX_OPEN.visitors : MAX_OPEN.member
      const count = counts.get(owner) ?? 0
      if (count >= max || !tokenBuckets.consume('connections', { address, member, user: null })) {
        rejectUpgrade(socket, '429 Too Many Requests\r\nretry-after: 60')
        return null
      }
      counts.set(owner, count + 1)
      movers.set(socket, (next) => {
        release(owner)
        owner = next
        counts.set(owner, (counts.get(owner) ?? 0) + 1)
      })
      socket.once('close', () => {
        movers.delete(socket)
        release(owner)
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

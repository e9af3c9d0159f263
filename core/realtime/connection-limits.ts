import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '#core/config.ts'
import { countFor } from '#core/http/connection-owners.ts'
import { dropForwardedPorts, hasOneHost } from '#core/http/hosts.ts'
import { type MemberOf, networkOf } from '#core/http/rate-limits.ts'
import type { TokenBuckets } from '#core/realtime/token-buckets.ts'

/**
 * WebSockets to this process: of an address (for IPv6, a network) for its visitors, and of a member. In a
 * school that shares one address, members and visitors do not take each other's places.
 */
const MAX_OPEN = { visitors: 200, member: 50 }

/** `key` and `query` come from the URL `/app/KEY?QUERY`. */
export interface Upgrade {
  /** As `networkOf` returns it. */
  address: string
  /** From the cookies of the upgrade; null for a visitor, and for clients without cookies. */
  member: number | null
  request: IncomingMessage
  socket: Duplex
  head: Buffer
  key: string
  query: URLSearchParams
}

/**
 * Accepts upgrades to `/app/KEY`. Answers 429 if the member, or the visitors of the address, have too many
 * WebSockets open or open too many in a short time; 404 to another path, 400 to several Host headers.
 */
export function listenForUpgrades(
  server: Server,
  config: Config,
  tokenBuckets: TokenBuckets,
  memberOf: MemberOf,
  accept: (upgrade: Upgrade) => void,
) {
  const limits = createConnectionLimits(config, tokenBuckets)
  server.on('upgrade', async (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!hasOneHost(request)) return rejectUpgrade(socket, '400 Bad Request')
    const url = URL.parse(request.url ?? '', 'http://localhost')
    const key = /^\/app\/([^/]+)$/.exec(url?.pathname ?? '')?.[1]
    if (key !== undefined) {
      const member = await memberOf(request).catch(() => null)
      if (socket.destroyed) return
      if (member !== null) countFor(socket, `member ${member}`)
      const address = limits.admit(request, socket, member)
      if (address !== null) accept({ request, socket, head, address, member, key, query: url!.searchParams })
    }
    // In development, Vite also listens, and handles the other paths.
    else if (server.listenerCount('upgrade') === 1) rejectUpgrade(socket, '404 Not Found')
  })
}

const movers = new WeakMap<Duplex, (member: number) => void>()

/** Counts for the member from now on, no longer for the address: no cookie came with it, as from an app. */
export function countForMember(socket: Duplex, member: number) {
  movers.get(socket)?.(member)
  countFor(socket as Socket, `member ${member}`)
}

/** Upgrades do not pass through Fastify, so the client's address is found here. RATE_LIMIT=off: no limits. */
function createConnectionLimits(
  { RATE_LIMIT, TRUST_PROXY }: Pick<Config, 'RATE_LIMIT' | 'TRUST_PROXY'>,
  tokenBuckets: TokenBuckets,
) {
  const counts = new Map<string | number, number>()
  const trusted = proxyAddr.compile(TRUST_PROXY)
  function release(owner: string | number) {
    const left = counts.get(owner)! - 1
    if (left) counts.set(owner, left)
    else counts.delete(owner)
  }
  return {
    /** The network of the address; the socket counts until it closes. Null after a 429, beyond a limit. */
    admit(request: IncomingMessage, socket: Duplex, member: number | null): string | null {
      if (TRUST_PROXY.length) dropForwardedPorts(request)
      const address = networkOf(proxyAddr(request, trusted) ?? '')
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

/** `status` is the status code with its text, and may contain further header lines. */
const rejectUpgrade = (socket: Duplex, status: string) =>
  socket.once('finish', () => socket.destroy()).end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)

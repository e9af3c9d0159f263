import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '#core/config.ts'
import { networkOf } from '#core/http/rate-limits.ts'

/** Sockets that one address may hold at a time: a school or an office behind one has room, a script does not fill the context. */
const MOST_OF_ONE = 200

/**
 * Counts the lines that each address keeps open, for upgrades, which pass Fastify by. The address is found as Fastify finds it (TRUST_PROXY).
 * Nobody is counted with RATE_LIMIT=off.
 */
export function createConnectionLimits(
  { RATE_LIMIT, TRUST_PROXY }: Pick<Config, 'RATE_LIMIT' | 'TRUST_PROXY'>,
  most = MOST_OF_ONE,
) {
  const held = new Map<string, number>()
  const trusted = proxyAddr.compile(TRUST_PROXY)
  return {
    /** Whether there is room for one more, which is then held until the line closes. Where there is none, the line is answered with 429 and let go. */
    admit(request: IncomingMessage, line: Duplex): boolean {
      if (!RATE_LIMIT) return true
      const address = networkOf(proxyAddr(request, trusted) ?? '')
      const count = held.get(address) ?? 0
      if (count >= most) {
        line
          .once('finish', () => line.destroy())
          .end('HTTP/1.1 429 Too Many Requests\r\nretry-after: 60\r\nconnection: close\r\n\r\n')
        return false
      }
      held.set(address, count + 1)
      line.once('close', () => {
        const left = held.get(address)! - 1
        if (left) held.set(address, left)
        else held.delete(address)
      })
      return true
    },
  }
}

import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'

/**
 * Returns the name or address in a Host header, without its port; undefined if the header is invalid. IPv6 is
 * in brackets.
 */
const hostNameOf = (host: string | undefined) => (host ? URL.parse(`http://${host}`)?.hostname : undefined)

export const isLocalHostName = (name: string | undefined) =>
  name === 'localhost' || name === '[::1]' || /^127(\.\d+){3}$/.test(name ?? '')

const bracketed = (address: string) => (isIPv6(address) ? `[${address}]` : address)

/**
 * Whether only this machine can reach the server, because it listens on a loopback address and PUBLIC_URL
 * names no other host.
 */
export const isLocalServer = ({ HOST, PUBLIC_URL }: Pick<Config, 'HOST' | 'PUBLIC_URL'>) =>
  isLocalHostName(hostNameOf(bracketed(HOST))) &&
  (!PUBLIC_URL || isLocalHostName(URL.parse(PUBLIC_URL)?.hostname))

/**
 * Returns the IP address of the client; an empty text if the client has disconnected. Fastify's types do not
 * show that `ip` is undefined then.
 */
export const clientAddress = ({ ip }: FastifyRequest) => (ip as string | undefined) ?? ''

/**
 * The names of headers that proxies and tunnels add. A request with one of them may come from another
 * machine.
 */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * How the forwarding headers of a request fit TRUST_PROXY. `direct`: there are none, and TRUST_PROXY is off.
 * `ignored`: there are some, and TRUST_PROXY is off. `trusted`: a proxy of TRUST_PROXY sent them.
 * `unknown_proxy`: somebody else sent them. `missing`: TRUST_PROXY is set, but X-Forwarded-For is not there.
 */
export type ProxyState = 'direct' | 'trusted' | 'ignored' | 'unknown_proxy' | 'missing'

/** Compares the forwarding headers of a request with TRUST_PROXY. */
export function readProxyState({ TRUST_PROXY }: Config, request: FastifyRequest): ProxyState {
  if (!TRUST_PROXY.length)
    return FORWARDING_HEADERS.some((name) => name in request.headers) ? 'ignored' : 'direct'
  if (!('x-forwarded-for' in request.headers)) return 'missing'
  // More than one address in `ips` means a trusted proxy: Fastify adds the forwarded addresses only if it
  // trusts the address of the connection.
  return (request.ips?.length ?? 0) > 1 ? 'trusted' : 'unknown_proxy'
}

/**
 * Whether the request comes from a person at this machine: to a local server, by a local name, and not
 * through an unknown proxy. The name is checked because a page of another site can make its own name lead to
 * this machine (DNS rebinding), but it cannot choose the Host header.
 */
export function isLocalRequest(config: Config, request: FastifyRequest) {
  const isDirect =
    config.TRUST_PROXY.length > 0 || !FORWARDING_HEADERS.some((name) => name in request.headers)
  const isNear = isLocalHostName(hostNameOf(bracketed(clientAddress(request).replace(/^::ffff:/, ''))))
  return isLocalServer(config) && isLocalHostName(hostNameOf(request.host)) && isDirect && isNear
}

/**
 * Whether the Host header names this server: the host of PUBLIC_URL, HOST, a local name, or the address that
 * received the request.
 */
export function hasKnownHost({ HOST, PUBLIC_URL }: Config, request: FastifyRequest) {
  const name = hostNameOf(request.host)
  const reached = request.socket.localAddress?.replace(/^::ffff:/, '')
  const own = [
    PUBLIC_URL && URL.parse(PUBLIC_URL)?.hostname,
    hostNameOf(bracketed(HOST)),
    reached && bracketed(reached),
  ]
  return name !== undefined && (isLocalHostName(name) || own.includes(name))
}

/**
 * Whether a request has at most one Host header (RFC 9112, 3.2). If there were two, a proxy and this server
 * might use different ones.
 */
export function hasOneHost({ rawHeaders }: IncomingMessage) {
  let count = 0
  // Looks at every second entry, because names and values alternate in `rawHeaders`. Compares the length
  // first, because this is fast and runs before every request.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count < 2
}

/**
 * Removes the ports that some proxies add to the addresses of X-Forwarded-For (`192.0.2.1:4711`,
 * `[2001:db8::1]:80`; RFC 7239, 6), because with ports the same address would differ between connections.
 */
export function dropForwardedPorts({ headers }: IncomingMessage) {
  const given = headers['x-forwarded-for']
  if (given === undefined) return
  const addresses = String(given).split(',')
  headers['x-forwarded-for'] = addresses.map((address) => withoutPort(address.trim())).join(', ')
}

const withoutPort = (address: string) =>
  /^"?\[([\da-f:.]+)\](?::\d+)?"?$/i.exec(address)?.[1] ??
  /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ??
  address

/**
 * Whether a request asks for an upgrade to WebSocket. node:http treats only these requests as upgrades, and
 * requests for other upgrades as ordinary requests (RFC 9110, 7.8: a server may ignore Upgrade).
 */
export const isUpgrade = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket'

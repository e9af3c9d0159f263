import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'

/**
 * The name or address in a Host header, without its port; undefined where it is invalid. IPv6 is in
 * brackets.
 */
const nameIn = (host: string | undefined) => (host ? URL.parse(`http://${host}`)?.hostname : undefined)

export const isLocalName = (name: string | undefined) =>
  name === 'localhost' || name === '[::1]' || /^127(\.\d+){3}$/.test(name ?? '')

const bracketed = (address: string) => (isIPv6(address) ? `[${address}]` : address)

/**
 * Whether only this machine reaches the server: it listens on a loopback address, and PUBLIC_URL names no
 * other host.
 */
export const isLocalServer = ({ HOST, PUBLIC_URL }: Pick<Config, 'HOST' | 'PUBLIC_URL'>) =>
  isLocalName(nameIn(bracketed(HOST))) && (!PUBLIC_URL || isLocalName(URL.parse(PUBLIC_URL)?.hostname))

/** The address of the client; empty where the client is gone already, which Fastify's types do not tell. */
export const addressOf = ({ ip }: FastifyRequest) => (ip as string | undefined) ?? ''

/** Headers that proxies and tunnels add. A request that carries one may come from another machine. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether the request comes from a person at this machine: to a local server, by a local name, and not
 * through a proxy. The name is checked because a page of another site can make its own name lead to this
 * machine (DNS rebinding), but it cannot choose the Host header.
 */
export function isLocalRequest(config: Config, request: FastifyRequest) {
  const isDirect = config.TRUST_PROXY.length > 0 || !forwarding.some((name) => name in request.headers)
  const isNear = isLocalName(nameIn(bracketed(addressOf(request).replace(/^::ffff:/, ''))))
  return isLocalServer(config) && isLocalName(nameIn(request.host)) && isDirect && isNear
}

/**
 * Whether the Host header names this server: by PUBLIC_URL, by HOST, by a local name, or by the address
 * that received the request.
 */
export function isKnownHost({ HOST, PUBLIC_URL }: Config, request: FastifyRequest) {
  const name = nameIn(request.host)
  const reached = request.socket.localAddress?.replace(/^::ffff:/, '')
  const own = [
    PUBLIC_URL && URL.parse(PUBLIC_URL)?.hostname,
    nameIn(bracketed(HOST)),
    reached && bracketed(reached),
  ]
  return name !== undefined && (isLocalName(name) || own.includes(name))
}

/**
 * Whether a request has one Host header (RFC 9112, 3.2): a proxy and this server might read two of them
 * differently.
 */
export function hasOneHost({ rawHeaders }: IncomingMessage) {
  let count = 0
  // Names and values take turns. The length is compared first, because this runs before every request.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count < 2
}

/**
 * Removes the ports from the addresses of X-Forwarded-For, which some proxies add (`192.0.2.1:4711`,
 * `[2001:db8::1]:80`; RFC 7239,
 * 6). With its port, an address would be another one for each connection.
 */
export function withoutForwardedPorts({ headers }: IncomingMessage) {
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
 * For node:http: other upgrades than to WebSockets are requests like all others (RFC 9110, 7.8: a server may
 * ignore Upgrade).
 */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage) =>
  headers.upgrade?.toLowerCase() === 'websocket'

import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'

/**
 * The name or address in a Host header, without its port; undefined where it is invalid. IPv6 is in
 * brackets.
 */
const nameIn = (host: string | undefined) => (host ? URL.parse(`http://${host}`)?.hostname : undefined)

const isLocalName = (name: string | undefined) =>
  name === 'localhost' || name === '[::1]' || /^127(\.\d+){3}$/.test(name ?? '')

const bracketed = (address: string) => (isIPv6(address) ? `[${address}]` : address)

/**
 * Whether only this machine reaches the server: it listens on a loopback address, and PUBLIC_URL names no
 * other host.
 */
export const isLocalServer = ({ HOST, PUBLIC_URL }: Pick<Config, 'HOST' | 'PUBLIC_URL'>) =>
  isLocalName(nameIn(bracketed(HOST))) && (!PUBLIC_URL || isLocalName(URL.parse(PUBLIC_URL)?.hostname))

/** Headers that proxies and tunnels add. A request that carries one may come from another machine. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether the request comes from a person at this machine: to a local server, by a local name, and not
 * through a proxy. The name is checked because a page of another site can make its own name lead to this
 * machine (DNS rebinding), but it cannot choose the Host header.
 */
export function isLocalRequest(config: Config, request: FastifyRequest) {
  const isDirect = config.TRUST_PROXY.length > 0 || !forwarding.some((name) => name in request.headers)
  const isNear = isLocalName(nameIn(bracketed(request.ip.replace(/^::ffff:/, ''))))
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

import Bowser from 'bowser'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'
import { clientAddress, isLocalRequest, type ProxyState, readProxyState } from '#core/http/hosts.ts'
import { networkOf } from '#core/http/rate-limits.ts'

export interface Client {
  /** The network of the client: the part of its IP address that one customer of an internet provider has. */
  network: string
  /**
   * Whether the request comes from a person at the machine of a local server. This is a method because it
   * parses addresses, and only registration needs it. A getter would cost more: V8 makes a new hidden class
   * for each such object.
   */
  isLocal(): boolean
  /**
   * Returns the names of the browser and the system, as `Firefox · Linux`. Leaves out a name that is not
   * known; null if neither is known.
   */
  device(): string | null
  /** Compares the forwarding headers of the request with TRUST_PROXY. */
  forwarding(): ProxyState
}

/** The maximum length, in characters, of a User-Agent header that is parsed. Real ones have about 150. */
const MAX_USER_AGENT = 500

/**
 * The names of browsers and systems that the library knows. Other names are left out, because the library
 * takes them from the header: a stranger could write a sentence into the mails and lists that show the
 * name.
 */
const KNOWN_NAMES = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])

function toDevice(userAgent = '') {
  if (!userAgent || userAgent.length > MAX_USER_AGENT) return null
  const { browser, os } = Bowser.parse(userAgent)
  const names = [browser.name, os.name].filter((name) => name && KNOWN_NAMES.has(name))
  return names.join(' · ') || null
}

export const clientOf = (config: Config, request: FastifyRequest): Client => ({
  network: networkOf(clientAddress(request)),
  isLocal: () => isLocalRequest(config, request),
  device: () => toDevice(request.headers['user-agent']),
  forwarding: () => readProxyState(config, request),
})

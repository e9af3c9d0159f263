import { Resolver } from 'node:dns/promises'
import { Agent as HttpsAgent, type RequestOptions } from 'node:https'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import ipaddr from 'ipaddr.js'

// Requests to addresses that members write or that browsers name must not reach a machine of the server's own
// network. This file decides which addresses are public, and connects only to these.

/**
 * Public addresses at which a cloud offers a machine services for this machine alone, such as its passwords.
 */
const metadataAddresses = new Set(['168.63.129.16'])
/** The only block of IPv6 with public addresses (RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parse('2000::')

/**
 * Returns whether an IP address is public: not private, not local, not multicast, and not reserved for
 * another purpose, also as an IPv4 address inside IPv6.
 */
export function isPublicAddress(text: string) {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || metadataAddresses.has(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast, 3)
}

/**
 * Returns whether the host of a URL is a name with a dot, such as `town.example`. Returns false for IP
 * addresses, and for names that only the own network knows, such as `printer`.
 */
export const isDottedHostName = (hostname: string) => hostname.includes('.') && isIP(hostname) === 0

/**
 * The functions by which the server connects to other servers whose addresses members write. Only tests
 * replace it; they cannot replace `isPublicAddress`, which decides about each address that `resolve`
 * returns.
 */
export interface Connector {
  /** Returns the IP addresses of a host name, which need not be public. */
  resolve: (hostname: string, signal: AbortSignal) => Promise<readonly string[]>
  connect: (addresses: readonly string[], port: number) => Socket
  /** The maximum time in ms for all requests of one task to other servers together. */
  timeout: number
}

/** How long the server waits for one answer of a name server, in ms. */
const NAME_SERVER_TIMEOUT = 2000

/**
 * Asks the name servers. Does not use `dns.lookup`, because slow name servers would then occupy the threads
 * that also read files and check passwords. So the names in the hosts file of the machine are not found: such
 * names are for the own network, and public servers do not need them.
 */
async function resolveHostName(hostname: string, signal: AbortSignal) {
  const resolver = new Resolver({ timeout: NAME_SERVER_TIMEOUT, tries: 1 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function connectToOneOf(addresses: readonly string[], port: number) {
  const found = addresses.map((address) => ({
    address,
    family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6,
  }))
  // Returns the addresses that were checked, so that no name server is asked again.
  const lookupFound: LookupFunction = (_, __, callback) => callback(null, found)
  return connect({ host: 'checked.invalid', port, lookup: lookupFound, autoSelectFamily: true })
}

export const realConnector: Connector = {
  resolve: resolveHostName,
  connect: connectToOneOf,
  timeout: 5000,
}

/** Returns the public addresses of a host name. Throws an error if it has none. */
export async function resolvePublic(network: Connector, hostname: string, signal: AbortSignal) {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const found = await Promise.race([network.resolve(hostname, signal), aborted])
  const addresses = found.filter(isPublicAddress)
  if (!addresses.length) throw new Error('The host has no public address')
  return addresses
}

/** Opens a TLS connection to one of these IP addresses. The certificate must be valid for `hostname`. */
export function connectToOne(network: Connector, addresses: readonly string[], hostname: string) {
  const socket = network.connect(addresses, 443)
  // Passes an error of the inner socket, such as a refused connection, on to the TLS socket, because the
  // request must end too.
  const secure = connectTls({ socket, servername: hostname, ALPNProtocols: ['http/1.1'] })
  socket.on('error', (error) => secure.destroy(error))
  secure.once('close', () => socket.destroy())
  return secure
}

/**
 * An agent for https requests on port 443 that connects only to public addresses, and keeps some connections
 * for later requests to the same host name.
 */
export class PublicAgent extends HttpsAgent {
  readonly #network: Connector
  constructor(network: Connector) {
    super({ keepAlive: true, maxFreeSockets: 4, timeout: 30_000 })
    this.#network = network
  }

  override createConnection(
    { host }: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const hostname = host!
    // Limits the time of the look-up, because a request whose own signal has ended it learns that only after
    // this promise.
    resolvePublic(this.#network, hostname, AbortSignal.timeout(this.#network.timeout))
      .then((addresses) => connectToOne(this.#network, addresses, hostname))
      .then(
        (socket) => callback?.(null, socket),
        // Passes no stream after an error, although the type of the callback requires one, because Node.js
        // reads none.
        (error) => (callback as ((error: Error) => void) | undefined)?.(error),
      )
  }
}

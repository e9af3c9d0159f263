import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'
import { addressOf, isLocalRequest } from '#core/http/hosts.ts'
import { networkOf } from '#core/http/rate-limits.ts'

/** The client of one request, as handlers may know it. */
export interface Client {
  /** The network of its address: what one customer of a provider has. */
  network: string
  /**
   * Whether a person at the machine of a local server asks. This is a method because it parses addresses, and
   * only a registration needs it. A getter would cost more: V8 makes a new hidden class for each such object.
   */
  isLocal(): boolean
}

export const clientOf = (config: Config, request: FastifyRequest): Client => ({
  network: networkOf(addressOf(request)),
  isLocal: () => isLocalRequest(config, request),
})

import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'
import { addressOf, isLocalRequest } from '#core/http/hosts.ts'
import { networkOf } from '#core/http/rate-limits.ts'

/** The client of one request, as handlers may know it. */
export interface Client {
  /** The network of its address: what one customer of a provider has. */
  network: string
  /** Whether a person at the machine of a local server asks. */
  isLocal: boolean
}

/** `isLocal` is found when a handler asks: it parses addresses, and only a registration needs it. */
export const clientOf = (config: Config, request: FastifyRequest): Client => ({
  network: networkOf(addressOf(request)),
  get isLocal() {
    return isLocalRequest(config, request)
  },
})

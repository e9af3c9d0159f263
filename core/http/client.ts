import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'
import { isLocalRequest, toClientAddress } from '#core/http/hosts.ts'
import { toClientNetwork } from '#core/http/rate-limits.ts'

/** The properties of a request's client that handlers may use. */
export interface RequestClient {
  /**
   * The network of the client's address: the part of the address that one customer of an internet provider
   * has.
   */
  network: string
  /**
   * Whether the request comes from a person at the machine of a local server. This is a method because it
   * parses addresses, and only registration needs it. A getter would cost more: V8 makes a new hidden class
   * for each such object.
   */
  isLocal(): boolean
}

export const toRequestClient = (config: Config, request: FastifyRequest): RequestClient => ({
  network: toClientNetwork(toClientAddress(request)),
  isLocal: () => isLocalRequest(config, request),
})

import type { FastifyInstance } from 'fastify'
import type { Config } from '#core/config.ts'
import { readProxyForwardingState } from '#core/http/hosts.ts'
import { isPublicIpAddress } from '#core/public-network.ts'

/**
 * Logs once if requests come through a proxy in the own network that TRUST_PROXY does not name. Everybody
 * then has the address of the proxy, so that visitors share the limits of one address.
 */
export function warnOfUnnamedProxy(app: FastifyInstance, config: Config) {
  let hasWarned = false
  app.addHook('onRequest', (request, _, next) => {
    const proxy = request.socket.remoteAddress
    if (hasWarned || !proxy || isPublicIpAddress(proxy)) return next()
    const state = readProxyForwardingState(config, request)
    if (state === 'ignored' || state === 'unknown_proxy') {
      hasWarned = true
      request.log.warn(
        { proxy },
        'Requests come through a proxy that TRUST_PROXY does not name: all visitors share the rate limits of one address. Set TRUST_PROXY to the address of the proxy',
      )
    }
    next()
  })
}

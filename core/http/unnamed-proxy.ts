import type { FastifyInstance } from 'fastify'
import type { Config } from '#core/config.ts'
import { readProxyState } from '#core/http/hosts.ts'
import { isPublicAddress } from './public-network.ts'

/**
 * Logs once if requests come through a proxy in the own network that TRUST_PROXY does not name. Everybody
 * then has the address of the proxy, so that visitors share the limits of one address.
 */
export function warnOfProxy(app: FastifyInstance, config: Config) {
  let hasWarned = false
  app.addHook('onRequest', (request, _, next) => {
    const proxy = request.socket.remoteAddress
    if (hasWarned || !proxy || isPublicAddress(proxy)) return next()
    const state = readProxyState(config, request)
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

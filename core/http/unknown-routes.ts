import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpErrors } from '#core/http/errors.ts'

/**
 * Returns a function that lists the methods of the routes that match a path, for 405 responses. It knows
 * only the routes that are added after this call.
 */
export function createMethodsFinder(app: FastifyInstance) {
  const routes: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
    for (const one of [method].flat()) if (one !== 'OPTIONS') routes.push({ pattern, method: one })
  })
  return (path: string) => {
    const found = routes.filter(({ pattern }) => pattern.test(path))
    return [...new Set(found.map(({ method }) => method))].sort()
  }
}

/**
 * The maximum size, in bytes, of the body of a refused request that is read and discarded, so that the client
 * reads the response and keeps its connection.
 */
const MAX_DISCARDED = 2 ** 16

/** Closes the connection after the response, unless the body is small enough to be read and discarded. */
export function closeIfLargeBody({ headers }: FastifyRequest, reply: FastifyReply) {
  if (Number(headers['content-length'] ?? 0) > MAX_DISCARDED || headers['transfer-encoding'])
    reply.header('connection', 'close')
}

/**
 * Adds a hook that counts two kinds of requests in the rate limit of their IP address, by `flood`: requests
 * for /media/ and /files/, and requests for unknown paths and methods. Other requests are counted when their
 * session is opened. The hook answers an unknown path or method with 404 or 405 before the body is read. It
 * passes a GET or HEAD for an unknown path on, because another handler shows a page for it.
 */
export function answerUnknownRoutes(
  app: FastifyInstance,
  methodsOf: ReturnType<typeof createMethodsFinder>,
  flood: (request: FastifyRequest) => Promise<void> | undefined,
) {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404) refuse(request, reply).then(() => next(), next)
    else if (/^\/(media|files)\//.test(request.url)) Promise.resolve(flood(request)).then(() => next(), next)
    else next()
  })

  async function refuse(request: FastifyRequest, reply: FastifyReply) {
    const { method } = request
    closeIfLargeBody(request, reply)
    await flood(request)
    const methods = methodsOf(request.url.split('?')[0]!)
    if (methods.length && !methods.includes(method)) {
      reply.header('allow', methods.join(', '))
      throw httpErrors.wrongMethod(methods)
    }
    if (method !== 'GET' && method !== 'HEAD') throw httpErrors.notFound()
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#core/http/errors.ts'

/** Returns a function that lists the methods of a path, for 405 answers. */
export function watchRoutes(app: FastifyInstance) {
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
 * Bytes of a body that are read and thrown away, so that the client reads the answer and keeps its
 * connection.
 */
const MOST_DISCARDED = 2 ** 16

/**
 * Counts requests for media and for unknown paths and methods, which open no session, for their address.
 * Refuses an unknown path or method before its body is read, with 404 or 405. A GET for an unknown path goes
 * on to the handler that shows a page.
 */
export function refuseUnknown(
  app: FastifyInstance,
  methodsOf: ReturnType<typeof watchRoutes>,
  flood: (request: FastifyRequest) => Promise<void> | undefined,
) {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404) refuse(request, reply).then(() => next(), next)
    else if (request.url.startsWith('/media/')) Promise.resolve(flood(request)).then(() => next(), next)
    else next()
  })

  async function refuse(request: FastifyRequest, reply: FastifyReply) {
    const { method, headers } = request
    if (Number(headers['content-length'] ?? 0) > MOST_DISCARDED || headers['transfer-encoding'])
      reply.header('connection', 'close')
    await flood(request)
    const methods = methodsOf(request.url.split('?')[0]!)
    if (methods.length && !methods.includes(method)) {
      reply.header('allow', methods.join(', '))
      throw errors.wrongMethod(methods)
    }
    if (method !== 'GET' && method !== 'HEAD') throw errors.notFound()
  }
}

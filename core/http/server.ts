import { randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import fastifyCors from '@fastify/cors'
import fastifyMultipart from '@fastify/multipart'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { Config } from '#core/config.ts'
import { registerCompression } from '#core/http/compression.ts'
import { limitConnections, limitRequestsUnderWay, timeouts } from '#core/http/connections.ts'
import {
  badBody,
  errors,
  HttpError,
  isAborted,
  notAnObject,
  toHttpError,
  wrongBodyType,
} from '#core/http/errors.ts'
import { corsOptions, onClientError, securityHeaders } from '#core/http/headers.ts'
import { hasOneHost, isWebSocketUpgrade, withoutForwardedPorts } from '#core/http/hosts.ts'
import { watchRoutes } from '#core/http/not-found.ts'
import { createRateLimits } from '#core/http/rate-limits.ts'
import { languageOf } from '#core/http/session.ts'
import { parseJson } from '#core/json.ts'
import type { Redis } from '#core/redis.ts'

/** The largest body of the Pusher HTTP API, in bytes: ten events. Endpoints have limits of their own. */
const BODY_LIMIT = 2 ** 20

export interface HttpServerOptions {
  logger?: FastifyServerOptions['loggerInstance']
  /** Puts another server in front, as development does; the security headers then allow its scripts. */
  serverFactory?: FastifyServerOptions['serverFactory']
}

/**
 * Fastify with everything that all routes share: headers, bodies, rate limits, errors, request log. It has
 * no routes yet.
 */
export async function createHttpServer(config: Config, redis: Redis | null, options: HttpServerOptions = {}) {
  const app = createFastify(config, options)
  limitConnections(app.server, config)
  app.decorateRequest('session', null)
  const methodsOf = watchRoutes(app)
  const headers = securityHeaders(config, options.serverFactory !== undefined)
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers(request.headers.host))
    if (config.TRUST_PROXY.length) withoutForwardedPorts(request.raw)
    if (hasOneHost(request.raw)) return next()
    reply.status(400).send({ message: 'The request has more than one Host header.' })
  })
  await app.register(fastifyCookie)
  registerCompression(app)
  if (config.ALLOWED_ORIGINS.length) await app.register(fastifyCors, corsOptions(config))
  refuseWhileClosing(app)
  const limits = await createRateLimits(app, config, redis)
  limitRequestsUnderWay(app, config)
  parseBodies(app)
  app.setErrorHandler(sendError)
  logRequests(app)
  return { app, limits, methodsOf, ...(await bodyScopes(app)) }
}
export type HttpServer = Awaited<ReturnType<typeof createHttpServer>>

function createFastify(config: Config, { logger, serverFactory }: HttpServerOptions) {
  return Fastify({
    ...(logger && { loggerInstance: logger }),
    ...(serverFactory && { serverFactory }),
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: a child logger for each costs more than its single line.
    childLoggerFactory: (parent) => parent,
    genReqId: () => randomUUID(),
    trustProxy: config.TRUST_PROXY.length ? config.TRUST_PROXY : false,
    bodyLimit: BODY_LIMIT,
    http: { ...timeouts, shouldUpgradeCallback: isWebSocketUpgrade },
    requestTimeout: timeouts.requestTimeout,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: onClientError,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply as FastifyReply),
  }) as unknown as FastifyInstance
}

/** Valibot checks the contracts, so Fastify's schema compilers are never loaded. */
function noSchemas(): never {
  throw new Error('A route names a schema of Fastify. Its contract is what is checked.')
}

function refuseWhileClosing(app: FastifyInstance) {
  let closing = false
  app.addHook('preClose', () => {
    closing = true
  })
  app.addHook('onRequest', (_, reply, next) => {
    if (!closing) return next()
    reply.header('connection', 'close')
    next(errors.closing())
  })
}

function parseBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
    const body = text ? parseJson(text as string) : {}
    if (body === undefined) done(notAnObject())
    else done(null, body)
  })
  // An empty body is accepted whatever type the client names for it.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) =>
    body.length ? done(wrongBodyType()) : done(null, {}),
  )
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  // Node reports such a body with the code that a lost database has.
  const known = isAborted(request) ? badBody() : toHttpError(error, request.routeOptions.bodyLimit)
  if (!known) {
    request.log.error({ err: error, id: request.id }, 'A request failed')
    return reply.status(500).send({ message: 'Server Error', id: request.id })
  }
  const lang = request.session?.lang ?? languageOf(request)
  const isExpected = error instanceof HttpError && !error.cause
  if (known.status >= 500 && isExpected) request.log.warn({ id: request.id }, known.message)
  else if (known.status >= 500) request.log.error({ err: error, id: request.id }, known.message)
  reply.headers((error as { headers?: Record<string, string> }).headers ?? {}) // Content-Range, with 416
  return reply.status(known.status).send({
    message: known.words[lang],
    ...(known.fields && {
      errors: Object.fromEntries(
        Object.entries(known.fields).map(([field, list]) => [field, list.map((words) => words[lang])]),
      ),
    }),
  })
}

function logRequests(app: FastifyInstance) {
  app.addHook('onResponse', (request, reply, done) => {
    const [path] = request.url.split('?')
    const { id, method } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.info(
      { id, method, path, status: reply.statusCode, ms, member: request.session?.me?.id },
      'request',
    )
    done()
  })
}

/**
 * The scopes of routes that take other bodies than JSON. No other route parses these: URLSearchParams takes
 * seconds for a megabyte, and the hooks of multipart forms cost every request something.
 */
async function bodyScopes(app: FastifyInstance) {
  let [multipart, urlEncoded] = [app, app]
  await app.register(async (scope) => {
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false })
    multipart = scope
  })
  await app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(text as string))),
    )
    urlEncoded = scope
  })
  // In an object, because a Fastify instance is thenable: awaiting it would start the app.
  return { multipart, urlEncoded }
}

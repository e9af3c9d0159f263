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
import type { Language } from '#core/contract.ts'
import { compressResponses } from '#core/http/compression.ts'
import { limitConnections, limitProxied, timeouts } from '#core/http/connections.ts'
import {
  bodyNotObject,
  HttpError,
  httpErrors,
  isBodyAborted,
  malformedBody,
  notJson,
  toHttpError,
  WaitingError,
} from '#core/http/errors.ts'
import { answerUnreadable, corsOptions, securityHeaders } from '#core/http/headers.ts'
import { dropForwardedPorts, hasOneHost, isUpgrade } from '#core/http/hosts.ts'
import { rateLimitHooks } from '#core/http/rate-limits.ts'
import { fairQueueHooks, keepPipelineOrder } from '#core/http/request-order.ts'
import { requestLanguage } from '#core/http/session.ts'
import { createMethodsFinder } from '#core/http/unknown-routes.ts'
import { warnOfProxy } from '#core/http/unnamed-proxy.ts'
import { dropUnreadBodies } from '#core/http/unread-bodies.ts'
import { createFailures } from '#core/process/failures.ts'
import type { Redis } from '#core/process/redis.ts'
import { parseJson } from '#core/text/json.ts'

/**
 * The maximum body of a request to the Pusher HTTP API, in bytes. It has room for a batch of ten events.
 * Endpoints have limits of their own.
 */
const BODY_LIMIT = 2 ** 20

export interface ServerOptions {
  logger?: FastifyServerOptions['loggerInstance']
  /**
   * Makes the HTTP server; without this function Fastify makes one. In development, a function is given whose
   * server runs Vite before the app. Then responses have no Content-Security-Policy, so that Vite's scripts
   * run.
   */
  serverFactory?: FastifyServerOptions['serverFactory']
}

/** Returns the language of the community at the moment; null if the admins have chosen none. */
type ReadCommunityLanguage = () => Language | null

/**
 * Creates the Fastify app with everything that all routes share: headers, bodies, rate limits, errors and
 * request log. It has no routes yet.
 */
export async function createServer(
  config: Config,
  redis: Redis | null,
  readCommunityLanguage: ReadCommunityLanguage,
  options: ServerOptions = {},
) {
  const failures = createFailures()
  const sendError = createErrorHandler(readCommunityLanguage, failures)
  const app = createFastify(config, options, sendError)
  limitConnections(app.server, config)
  keepPipelineOrder(app)
  app.decorateRequest('session', null)
  const methodsOf = createMethodsFinder(app)
  const headers = securityHeaders(config, options.serverFactory !== undefined)
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers(request.headers.host))
    if (config.TRUST_PROXY.length) dropForwardedPorts(request.raw)
    if (hasOneHost(request.raw)) return next()
    reply.status(400).send({ message: 'The request has more than one Host header.' })
  })
  warnOfProxy(app, config)
  await app.register(fastifyCookie)
  compressResponses(app)
  const turns = fairQueueHooks(app, config)
  if (config.ALLOWED_ORIGINS.length) await app.register(fastifyCors, corsOptions(config))
  refuseWhileClosing(app)
  const limits = await rateLimitHooks(app, config, redis)
  limitProxied(app, config, limits.memberOf)
  parseBodies(app)
  dropUnreadBodies(app)
  app.setErrorHandler(sendError)
  app.addHook('onClose', async () => failures.stop())
  logRequests(app)
  return { app, limits, turns, methodsOf, ...(await bodyScopes(app)) }
}
export type Server = Awaited<ReturnType<typeof createServer>>

function createFastify(
  config: Config,
  { logger, serverFactory }: ServerOptions,
  sendError: ReturnType<typeof createErrorHandler>,
) {
  return Fastify({
    ...(logger && { loggerInstance: logger }),
    ...(serverFactory && { serverFactory }),
    logController: new LogController({ disableRequestLogging: true }),
    // Returns the same logger for all requests, because a child logger for each request costs more than the
    // single line that the request logs.
    childLoggerFactory: (parent) => parent,
    genReqId: () => randomUUID(),
    trustProxy: config.TRUST_PROXY.length ? config.TRUST_PROXY : false,
    bodyLimit: BODY_LIMIT,
    http: { ...timeouts, shouldUpgradeCallback: isUpgrade },
    requestTimeout: timeouts.requestTimeout,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerUnreadable,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply as FastifyReply),
  }) as unknown as FastifyInstance
}

/**
 * Throws if Fastify would compile a schema. Valibot checks the input by the contracts instead, so Fastify's
 * schema compilers are never loaded.
 */
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
    next(httpErrors.closing())
  })
}

function parseBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
    const body = text ? parseJson(text as string) : {}
    if (body === undefined) done(bodyNotObject())
    else done(null, body)
  })
  // Accepts an empty body of any content type. Refuses other bodies whose content type is not JSON (415).
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) =>
    body.length ? done(notJson()) : done(null, {}),
  )
}

/**
 * Creates the function that sends an error as the response. Before the session of a request is open, the
 * error is in the language that the session would have.
 */
function createErrorHandler(
  readCommunityLanguage: ReadCommunityLanguage,
  failures: ReturnType<typeof createFailures>,
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // Recognises an aborted request first, because Node reports an aborted body with the same error code as a
    // lost database connection.
    const known = isBodyAborted(request)
      ? malformedBody()
      : toHttpError(error, request.routeOptions.bodyLimit)
    if (!known) {
      request.log.error({ err: error, id: request.id }, 'A request failed')
      return reply.status(500).send({ message: 'Server Error', id: request.id })
    }
    const lang = request.session?.lang ?? requestLanguage(request, readCommunityLanguage())
    const isExpected = error instanceof HttpError && !error.cause
    if (known.status >= 500 && isExpected) request.log.warn({ id: request.id }, known.message)
    else if (known.status >= 500) failures.add(request.log, known.message, { err: error, id: request.id })
    // Adds the headers that the error names, such as Content-Range with 416.
    reply.headers({ ...(error as { headers?: Record<string, string> }).headers, ...known.headers })
    return reply.status(known.status).send({
      message: known.messages[lang],
      ...(known instanceof WaitingError && { waits: true }),
      ...(known.fields && {
        errors: Object.fromEntries(
          Object.entries(known.fields).map(([field, list]) => [field, list.map((message) => message[lang])]),
        ),
      }),
    })
  }
}

function logRequests(app: FastifyInstance) {
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method } = request
    const { token } = (request.params ?? {}) as { token?: string }
    // Logs only the pattern of a path with a token, because the token is a secret.
    const path = token === undefined ? request.url.split('?')[0] : request.routeOptions.url
    const ms = Math.round(reply.elapsedTime)
    request.log.info(
      { id, method, path, status: reply.statusCode, ms, member: request.session?.me?.id },
      'request',
    )
    done()
  })
}

/**
 * Returns the Fastify scopes for routes that accept multipart or URL-encoded bodies. No other route parses
 * such bodies: URLSearchParams takes seconds for a megabyte, and the hooks of multipart forms cost time in
 * every request.
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
  // Returns an object, because a Fastify instance is thenable: awaiting the instance would start the app.
  return { multipart, urlEncoded }
}

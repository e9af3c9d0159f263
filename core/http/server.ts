import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
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
import * as v from 'valibot'
import type { Config } from '#core/config.ts'
import { type Contract, type Endpoint, fillPath, type Lang, type Who } from '#core/contract.ts'
import { memoize, type QueryCaches } from '#core/database/cache.ts'
import type { Db } from '#core/database/database.ts'
import { registerCompression } from '#core/http/compression.ts'
import { errors, HttpError, toHttpError } from '#core/http/errors.ts'
import { readForm } from '#core/http/forms.ts'
import { corsOptions, onClientError, securityHeaders } from '#core/http/headers.ts'
import { createRateLimits } from '#core/http/rate-limits.ts'
import { negotiateLanguage, validationMessage } from '#core/i18n.ts'
import type { WithLock } from '#core/locks.ts'
import type { Mail } from '#core/mail/outbox.ts'
import type { Media, Upload } from '#core/media/lifecycle.ts'
import type { Realtime } from '#core/realtime/server.ts'
import type { Redis } from '#core/redis.ts'

/** What every handler may use. */
export interface AppContext {
  db: Db
  /** Keeps what was made from the database until that changes. */
  queryCaches: QueryCaches
  config: Config
  media: Media
  mail: Mail
  realtime: Realtime
  /** Joins the processes of the community; null where there is one alone. */
  redis: Redis | null
  /** Works of one key follow each other in their order, in all processes. */
  withLock: WithLock
  /** Where people reach the site, for links in mails; known for certain once it listens. */
  site: { origin: string }
}

export interface CurrentUser {
  id: number
  is_admin: boolean
}

/** The rows behind session cookies; a visitor's session has none. */
export interface SessionStore {
  /** Who a session belongs to, and whether its cookies are old enough to be sent again (its row is then made new). */
  whoIs(token: string): Promise<{ me: CurrentUser; refresh: boolean } | null>
}

/** The session of one request. */
interface Visit {
  token: string
  me: CurrentUser | null
  lang: Lang
  /** Whether the session is still one: it may have ended while the body was on its way. */
  isAlive(): Promise<boolean>
  /** Gives the browser another session: log-in and log-out leave nothing of the old one. Returns its token. */
  renew(): string
}

type Me<W extends Who> = W extends 'anyone' ? CurrentUser | null : CurrentUser
export interface RequestContext<E extends Endpoint> extends AppContext {
  me: Me<E['who']>
  input: v.InferOutput<E['input']>
  files: readonly Upload[]
  lang: Lang
  session: Pick<Visit, 'token' | 'renew' | 'isAlive'>
}
type Output<E extends Endpoint> = v.InferInput<E['output']>
type Answer<E extends Endpoint> = Output<E> | JsonText<Output<E>>
type Handler<E extends Endpoint> = (
  call: RequestContext<E>,
) =>
  | Promise<E['traits'] extends { paged: true } ? Paged<Answer<E>> : Answer<E>>
  | (E['traits'] extends { paged: true } ? Paged<Answer<E>> : Answer<E>)
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> }

/** An answer that is JSON text already. */
export class JsonText<T> {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
  toJSON(): T {
    return JSON.parse(this.bytes.toString())
  }
}

/** One page of a list, and the query that leads to the next; null on the last. */
export interface Paged<T> {
  body: T
  next: Record<string, number> | null
}

/** Cuts rows that were fetched one beyond `limit`, and says where the next page begins. */
export function paged<Row, T>(
  rows: Row[],
  limit: number,
  next: (last: Row) => Record<string, number>,
  body: (rows: Row[]) => T,
): Paged<T> {
  const shown = rows.slice(0, limit)
  return { body: body(shown), next: rows.length > limit ? next(shown.at(-1)!) : null }
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | null
  }
}

const THIRTY_DAYS = 30 * 24 * 3600
const SESSION = 'engawa_session'
const TOKEN = 'XSRF-TOKEN'
const BODY_LIMIT = 2 ** 20
/** Milliseconds that a body may take before its session is looked up once more. */
const SLOW = 1000
/**
 * How long a line may keep its place, ms. Headers are a packet or two; a body is forty megabytes of pictures over a slow phone.
 * Node looks only every thirty seconds unless it is told otherwise.
 */
const patience = { headersTimeout: 20_000, requestTimeout: 300_000, connectionsCheckingInterval: 5000 }
/** Lines at a time: all sockets that may be open, and room beside them. Beyond, Node drops new ones, so that files stay for the database. */
const MOST_LINES = 25_000

/** Contracts check and Valibot parses: the compilers that Fastify would load for its own schemas are never asked. */
const noSchemas = { buildValidator: unused, buildSerializer: unused }
function unused(): never {
  throw new Error('A route names a schema of Fastify: its contract is what is checked.')
}

export interface HttpServer {
  app: FastifyInstance
  /** Binds a feature's contract to its handlers: a missing handler or a wrong answer does not compile. */
  serve<C extends Contract>(contract: C, handlers: Handlers<C>): void
  /** Answers one call of a contract inside another request, as the page does with its first data. */
  answer(
    endpoint: Endpoint,
    request: FastifyRequest,
    input: Record<string, unknown>,
  ): Promise<{ body: unknown; next: string | null }>
  /** What comes before everything: not too often from one address; who visits; the cookies that are missing or old. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The first of it alone, for what has no visitor. */
  flood(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Methods that a path knows. */
  methodsOf(path: string): string[]
}

export interface HttpServerOptions {
  logger?: FastifyServerOptions['loggerInstance']
  /** Another server in front, as development has it; pages may then run scripts that are not ours. */
  serverFactory?: FastifyServerOptions['serverFactory']
}

export async function createHttpServer(
  context: AppContext,
  sessions: SessionStore,
  options: HttpServerOptions = {},
): Promise<HttpServer> {
  const { config } = context
  const app = Fastify({
    ...(options.logger && { loggerInstance: options.logger }),
    ...(options.serverFactory && { serverFactory: options.serverFactory }),
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than the one line that most requests are worth.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: config.TRUST_PROXY.length ? config.TRUST_PROXY : false,
    bodyLimit: BODY_LIMIT,
    http: patience,
    requestTimeout: patience.requestTimeout,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: onClientError,
    schemaController: { compilersFactory: noSchemas },
    frameworkErrors: (error, request, reply) => fail(error, request, reply as FastifyReply),
  }) as unknown as FastifyInstance
  app.server.maxConnections = MOST_LINES
  const paths: { pattern: RegExp; method: string }[] = []
  const handlers = new Map<Endpoint, (call: never) => unknown>()
  const secure = config.PUBLIC_URL?.startsWith('https:') ?? false

  app.decorateRequest('visit', null)
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
    for (const one of [method].flat()) if (one !== 'OPTIONS') paths.push({ pattern, method: one })
  })
  const guards = securityHeaders(config, options.serverFactory !== undefined)
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(guards(request.headers.host))
    next()
  })
  app.removeAllContentTypeParsers()
  await app.register(fastifyCookie)
  registerCompression(app)
  if (config.ALLOWED_ORIGINS.length) await app.register(fastifyCors, corsOptions(config))
  let closing = false
  app.addHook('preClose', () => {
    closing = true
  })
  app.addHook('onRequest', (_, reply, next) => {
    if (!closing) return next()
    reply.header('connection', 'close')
    next(errors.closing())
  })
  const limits = await createRateLimits(app, config, context.redis)
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
    try {
      done(null, text ? JSON.parse(text as string) : {})
    } catch {
      done(new HttpError(422, notJson, { body: [notJson] }))
    }
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, text, done) =>
    done(null, new URLSearchParams(text as string)),
  )
  // A call without a body is not judged by the type that a client names for it.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) =>
    body.length ? done(new HttpError(415, wrongType)) : done(null, {}),
  )
  app.setErrorHandler(fail)
  app.addHook('onResponse', (request, reply, done) => {
    const [path] = request.url.split('?')
    const line = {
      id: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      member: request.visit?.me?.id,
    }
    request.log.info(line, 'request')
    done()
  })
  // Reading forms hangs on to every request that it might be for.
  let forms = app
  await app.register(async (scope) => {
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false })
    forms = scope
  })

  function fail(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const refusal = toHttpError(error)
    const lang = request.visit?.lang ?? langOf(request)
    if (!refusal) {
      request.log.error({ err: error, id: request.id }, 'A request failed')
      return reply.status(500).send({ message: 'Server Error', id: request.id })
    }
    // What we refuse of our own, such as while stopping, needs no stack.
    if (error instanceof HttpError && error.status >= 500 && !error.cause)
      request.log.warn({ id: request.id }, refusal.message)
    else if (refusal.status >= 500) request.log.error({ err: error, id: request.id }, refusal.message)
    reply.headers((error as { headers?: Record<string, string> }).headers ?? {}) // Content-Range, with 416
    return reply.status(refusal.status).send({
      message: refusal.words[lang],
      ...(refusal.fields && {
        errors: Object.fromEntries(
          Object.entries(refusal.fields).map(([field, list]) => [field, list.map((words) => words[lang])]),
        ),
      }),
    })
  }

  // ── Session and anti-forgery ──────────────────────────────────────────────

  /** The token is bound to the session by a key that only the server has: nothing about visitors is stored. */
  const tokenFor = memoize(10_000, (session: string) =>
    createHmac('sha256', config.SECRET).update(`xsrf ${session}`).digest('base64url'),
  )

  function giveCookies(request: FastifyRequest, reply: FastifyReply, session: string) {
    const shared = {
      path: '/',
      sameSite: 'lax',
      secure: secure || request.protocol === 'https',
      maxAge: THIRTY_DAYS,
    } as const
    reply.setCookie(SESSION, session, { ...shared, httpOnly: true })
    reply.setCookie(TOKEN, tokenFor(session), shared)
  }

  async function visit(request: FastifyRequest, reply: FastifyReply) {
    const given = request.cookies[SESSION]
    const known = given !== undefined && /^[\w-]{43}$/.test(given)
    const token = known ? given : newToken()
    const found = known ? await sessions.whoIs(token) : null
    request.visit = {
      token,
      me: found?.me ?? null,
      lang: langOf(request),
      isAlive: async () => (await sessions.whoIs(token)) !== null,
      renew() {
        this.token = newToken()
        giveCookies(request, reply, this.token)
        return this.token
      },
    }
    if (!known || request.cookies[TOKEN] !== tokenFor(token) || found?.refresh)
      giveCookies(request, reply, token)
  }

  async function enter(request: FastifyRequest, reply: FastifyReply) {
    await limits.flood(request, reply)
    await visit(request, reply)
  }

  function checkToken(request: FastifyRequest) {
    const given = Buffer.from(String(request.headers['x-xsrf-token'] ?? ''))
    const expected = Buffer.from(tokenFor(request.visit!.token))
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw errors.mismatch()
  }

  // ── From an endpoint to a route ───────────────────────────────────────────

  function serve<C extends Contract>(contract: C, given: Handlers<C>) {
    for (const [name, endpoint] of Object.entries(contract)) {
      handlers.set(endpoint, given[name as keyof C] as (call: never) => unknown)
      const scope = endpoint.traits.files ? forms : app
      scope.route({
        method: endpoint.method,
        url: endpoint.path,
        onRequest: [
          async (request, reply) => {
            await enter(request, reply)
            if (endpoint.method !== 'GET') checkToken(request)
            admit(endpoint.who, request.visit!.me)
          },
          ...limits.early(endpoint),
        ],
        preHandler: limits.late(endpoint),
        handler: (request, reply) => handle(endpoint, request, reply),
      })
    }
  }

  async function handle(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
    reply.header('cache-control', 'no-store')
    const { fields, files } = await bodyOf(endpoint, request)
    try {
      if (endpoint.who !== 'anyone' && reply.elapsedTime > SLOW && !(await request.visit!.isAlive()))
        throw errors.unauthenticated()
      // What a call is told stands in its body: addresses, with all that is in them, are written into logs.
      const asked = endpoint.method === 'GET' ? (request.query as object) : {}
      const { body, next } = await run(
        endpoint,
        request,
        { ...asked, ...fields, ...(request.params as object) },
        files,
      )
      if (next) reply.header('link', `<${next}>; rel="next"`)
      reply.status(endpoint.traits.status ?? 200)
      return body instanceof JsonText
        ? reply.type('application/json; charset=utf-8').send(body.bytes)
        : reply.send(body)
    } finally {
      await context.media.discard(files)
    }
  }

  async function run(
    endpoint: Endpoint,
    request: FastifyRequest,
    given: Record<string, unknown>,
    files: readonly Upload[],
  ) {
    const visit = request.visit!
    const input = v.safeParse(endpoint.input, given)
    if (!input.success) throw invalid(input.issues)
    const call = { ...context, me: visit.me, input: input.output, files, lang: visit.lang, session: visit }
    const answer = await handlers.get(endpoint)!(call as never)
    if (!endpoint.traits.paged) return { body: answer, next: null }
    const { body, next } = answer as Paged<unknown>
    return { body, next: next && nextAddress(endpoint, request, given, next) }
  }

  /** The address of the call itself with its cursor moved: every other part of the query stays. */
  function nextAddress(
    endpoint: Endpoint,
    request: FastifyRequest,
    given: Record<string, unknown>,
    next: Record<string, number>,
  ) {
    const [path, asked = ''] = request.url.startsWith('/api/')
      ? request.url.split('?')
      : [fillPath(endpoint.path, given)]
    const query = new URLSearchParams(asked)
    for (const [name, value] of Object.entries(next)) query.set(name, String(value))
    return `${path}?${query}`
  }

  async function bodyOf(
    endpoint: Endpoint,
    request: FastifyRequest,
  ): Promise<{ fields: object; files: Upload[] }> {
    if (endpoint.traits.files && request.isMultipart())
      return readForm(request, endpoint.traits.files, context.media)
    const body = request.body ?? {}
    if (body instanceof URLSearchParams) {
      if (body.size && !endpoint.traits.form) throw new HttpError(415, wrongType)
      return { fields: Object.fromEntries(body), files: [] }
    }
    if (typeof body !== 'object' || Array.isArray(body))
      throw new HttpError(422, notJson, { body: [notJson] })
    return { fields: body, files: [] }
  }

  return {
    app,
    serve,
    enter,
    flood: limits.flood,
    async answer(endpoint, request, input) {
      admit(endpoint.who, request.visit!.me)
      const { body, next } = await run(endpoint, request, input, [])
      return { body: body instanceof JsonText ? body.toJSON() : body, next }
    },
    methodsOf: (path) =>
      [...new Set(paths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].sort(),
  }
}

const newToken = () => randomBytes(32).toString('base64url')

const langOf = (request: FastifyRequest) =>
  negotiateLanguage(request.cookies?.lang, request.headers['accept-language'])

function admit(who: Who, me: CurrentUser | null) {
  if (who !== 'anyone' && !me) throw errors.unauthenticated()
  if (who === 'admin' && !me!.is_admin) throw errors.adminsOnly()
}

const notJson = { en: 'The body must be a JSON object.', ja: '本文はJSONオブジェクトにしてください。' }
const wrongType = { en: 'This call takes a JSON body.', ja: 'この操作の本文はJSONにしてください。' }

function invalid(issues: readonly v.BaseIssue<unknown>[]) {
  const named = issues.map((issue) => {
    const field = String(issue.path?.[0]?.key ?? 'body')
    const missing = issue.received === 'undefined' || issue.received === 'null'
    return { field, words: validationMessage(missing ? 'required' : issue.message, field) }
  })
  const fields = Object.groupBy(named, ({ field }) => field)
  return new HttpError(
    422,
    named[0]!.words,
    Object.fromEntries(
      Object.entries(fields).map(([field, list]) => [field, list!.map(({ words }) => words)]),
    ),
  )
}

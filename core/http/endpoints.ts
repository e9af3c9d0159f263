import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { AppContext, CurrentUser } from '#core/context.ts'
import { type Contract, type Endpoint, fillPath, type Lang, type Who } from '#core/contract.ts'
import { type Client, clientOf } from '#core/http/client.ts'
import { badBody, errors, invalidInput, notAnObject } from '#core/http/errors.ts'
import { formBytes, readForm } from '#core/http/forms.ts'
import { JsonText, type Paged } from '#core/http/pagination.ts'
import type { HttpServer } from '#core/http/server.ts'
import type { RequestSession, Sessions } from '#core/http/session.ts'
import type { Media, Upload } from '#core/media/media.ts'

type Me<W extends Who> = W extends 'anyone' ? CurrentUser | null : CurrentUser
/** The argument of a handler: the services, and the request as its contract describes it. */
export interface RequestContext<E extends Endpoint> extends AppContext {
  me: Me<E['who']>
  input: v.InferOutput<E['input']>
  files: readonly Upload[]
  lang: Lang
  client: Client
  session: Pick<RequestSession, 'token' | 'renew' | 'isAlive' | 'devices' | 'setDevices' | 'sendCookies'>
}
type Output<E extends Endpoint> = v.InferInput<E['output']>
type Body<E extends Endpoint> = Output<E> | JsonText<Output<E>>
type Answer<E extends Endpoint> = E['traits'] extends { paged: true } ? Paged<Body<E>> : Body<E>
type Handler<E extends Endpoint> = (context: RequestContext<E>) => Promise<Answer<E>> | Answer<E>
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> }
type AnyHandler = (context: never) => unknown

/**
 * Turns endpoints of contracts into routes. The steps of a request, in their order: rate limit of the
 * address, session, anti-forgery token, right, other rate limits, body, input, handler, answer.
 */
export function createEndpoints(
  { app, multipart, urlEncoded, limits }: HttpServer,
  sessions: Sessions,
  context: AppContext,
) {
  const calls = new Map<Endpoint, Call>()

  /** Runs before every request: counts it for its address, then sets `request.session`. */
  async function openSession(request: FastifyRequest, reply: FastifyReply) {
    await limits.flood(request)
    await sessions.open(request, reply)
  }

  const admit = (endpoint: Endpoint) => async (request: FastifyRequest, reply: FastifyReply) => {
    await openSession(request, reply)
    if (endpoint.method !== 'GET') sessions.checkCsrfToken(request)
    authorise(endpoint.who, request.session!.me)
  }

  function addRoute(endpoint: Endpoint, handler: AnyHandler) {
    const call = createCall(endpoint, handler, context)
    calls.set(endpoint, call)
    const { files, form } = endpoint.traits
    const scope = files ? multipart : form ? urlEncoded : app
    scope.route({
      method: endpoint.method,
      url: endpoint.path,
      bodyLimit: form ? FORM_LIMIT : JSON_LIMIT,
      onRequest: [admit(endpoint), ...limits.early(endpoint)],
      preHandler: limits.late(endpoint),
      handler: createRouteHandler(endpoint, call, context.media),
    })
  }

  return {
    openSession,
    /** Binds a contract to its handlers: a missing handler or a wrong answer does not compile. */
    serve<C extends Contract>(contract: C, handlers: Handlers<C>) {
      for (const [name, endpoint] of Object.entries(contract))
        addRoute(endpoint, handlers[name as keyof C] as AnyHandler)
    },
    /**
     * Answers a call inside another request, as a page does with its first data. Throws the HttpError that
     * the call would answer with.
     */
    async answer(endpoint: Endpoint, request: FastifyRequest, input: Record<string, unknown>) {
      authorise(endpoint.who, request.session!.me)
      const { body, next } = await calls.get(endpoint)!(request, input, [])
      return { body: body instanceof JsonText ? body.toJSON() : body, next }
    },
  }
}
export type Endpoints = ReturnType<typeof createEndpoints>

function authorise(who: Who, me: CurrentUser | null) {
  if (who !== 'anyone' && !me) throw errors.unauthenticated()
  if (who === 'admin' && !me!.is_admin) throw errors.adminsOnly()
}

/**
 * The largest bodies, in bytes. Files are not part of them. 64 kB hold the longest texts of a call several
 * times over.
 */
const JSON_LIMIT = 2 ** 16
const FORM_LIMIT = 2 ** 13

interface RequestBody {
  fields: object
  files: readonly Upload[]
}

/** Reads the body, calls the endpoint, answers, and deletes the files of the request. */
function createRouteHandler(endpoint: Endpoint, call: Call, media: Media) {
  const { files: allowed } = endpoint.traits

  async function respond(request: FastifyRequest, reply: FastifyReply, { fields, files }: RequestBody) {
    try {
      if (endpoint.who !== 'anyone' && reply.elapsedTime > SLOW_BODY) await checkSession(request)
      // Only GET takes parameters from the query: addresses are written into logs.
      const query = endpoint.method === 'GET' ? (request.query as object) : {}
      const input = { ...query, ...fields, ...(request.params as object) }
      return send(endpoint, reply, await call(request, input, files))
    } finally {
      if (files.length) await media.discard(files)
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (!allowed || !request.isMultipart())
      return respond(request, reply, { fields: readFields(request), files: [] })
    const member = request.session!.me?.id ?? 0
    const release = media.reserve(member, formBytes(request, allowed))
    try {
      const uploader = { member, signal: disconnected(reply) }
      return await respond(request, reply, await readForm(request, allowed, media, uploader))
    } finally {
      release()
    }
  }
}

/** Aborts when the client disconnects, and also after the answer. */
function disconnected(reply: FastifyReply) {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort(badBody()))
  return controller.signal
}

function readFields(request: FastifyRequest): object {
  const body = request.body ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) throw notAnObject()
  return body
}

/** Milliseconds that a body may take to arrive before the session is looked up once more. */
const SLOW_BODY = 1000

/** Throws 401 where the session has ended while the body was arriving. */
async function checkSession(request: FastifyRequest) {
  if (!(await request.session!.isAlive())) throw errors.unauthenticated()
}

interface CallResult {
  body: unknown
  /** The URL of the next page; null on the last page and where the endpoint is no list. */
  next: string | null
}
type Call = (
  request: FastifyRequest,
  input: Record<string, unknown>,
  files: readonly Upload[],
) => Promise<CallResult>

/** Makes a function that checks the input and runs the handler. It throws 422 where the input is wrong. */
const createCall =
  (endpoint: Endpoint, handler: AnyHandler, context: AppContext): Call =>
  async (request, given, files) => {
    const parsed = v.safeParse(endpoint.input, given)
    if (!parsed.success) throw invalidInput(parsed.issues)
    const session = request.session!
    const { me, lang } = session
    const client = clientOf(context.config, request)
    const input = parsed.output
    const answer = await handler({ ...context, me, input, files, lang, client, session } as never)
    if (!endpoint.traits.paged) return { body: answer, next: null }
    const { body, next } = answer as Paged<unknown>
    return { body, next: next && nextUrl(endpoint, request, given, next) }
  }

function send({ traits }: Endpoint, reply: FastifyReply, { body, next }: CallResult) {
  if (next) reply.header('link', `<${next}>; rel="next"`)
  reply.status(traits.status ?? 200)
  if (!(body instanceof JsonText)) return reply.send(body)
  return reply.type('application/json; charset=utf-8').send(body.bytes)
}

/** The URL of the call itself with the cursor of the next page; the rest of its query stays. */
function nextUrl(
  endpoint: Endpoint,
  request: FastifyRequest,
  given: Record<string, unknown>,
  next: Record<string, number>,
) {
  const isCall = request.url.startsWith('/api/')
  const [path, asked = ''] = isCall ? request.url.split('?') : [fillPath(endpoint.path, given)]
  const query = new URLSearchParams(asked)
  for (const [name, value] of Object.entries(next)) query.set(name, String(value))
  return `${path}?${query}`
}

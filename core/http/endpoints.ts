import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { CommunitySettings } from '#core/community-settings.ts'
import type { AppContext, CurrentUser } from '#core/context.ts'
import {
  type AccessLevel,
  type Endpoint,
  type FeatureContract,
  fillPathParameters,
  type Language,
} from '#core/contract.ts'
import { type RequestClient, toRequestClient } from '#core/http/client.ts'
import { FileDownload, sendDownload } from '#core/http/downloads.ts'
import { bodyNotObjectError, httpErrors, invalidInputError, malformedBodyError } from '#core/http/errors.ts'
import { readFormContentLength, readMultipartForm } from '#core/http/forms.ts'
import { JsonText, type PagedResponse } from '#core/http/pagination.ts'
import type { HttpServerParts } from '#core/http/server.ts'
import type { RequestSession, Sessions } from '#core/http/session.ts'
import type { RequestUpload } from '#core/media/media.ts'

type Me<W extends AccessLevel> = W extends 'anyone' | 'reader' ? CurrentUser | null : CurrentUser
/**
 * The argument of a handler. It has the services and the request, with the types of the endpoint's contract.
 */
export interface RequestContext<E extends Endpoint> extends AppContext {
  me: Me<E['access']>
  input: v.InferOutput<E['input']>
  files: readonly RequestUpload[]
  lang: Language
  client: RequestClient
  session: Pick<RequestSession, 'token' | 'renew' | 'isValid' | 'devices' | 'setDevices' | 'sendCookies'>
}
type Output<E extends Endpoint> = v.InferInput<E['output']>
type Body<E extends Endpoint> = Output<E> | JsonText<Output<E>>
type Answer<E extends Endpoint> = E['options'] extends { download: string }
  ? FileDownload
  : E['options'] extends { paginated: true }
    ? PagedResponse<Body<E>>
    : Body<E>
type Handler<E extends Endpoint> = (context: RequestContext<E>) => Promise<Answer<E>> | Answer<E>
export type EndpointHandlers<C extends FeatureContract> = { [K in keyof C]: Handler<C[K]> }
type AnyHandler = (context: never) => unknown

/**
 * Turns endpoints of contracts into routes. The steps of a request, in their order: rate limit of the
 * address, session, anti-forgery token, access check, other rate limits, body, input, handler, response.
 */
export function createEndpointRouter(
  { app, multipart, urlEncoded, limits, turns }: HttpServerParts,
  sessions: Sessions,
  context: AppContext,
) {
  const calls = new Map<Endpoint, Call>()

  /** Counts a request in the rate limit of its IP address, then sets `request.session`. */
  async function openSession(request: FastifyRequest, reply: FastifyReply) {
    await limits.limitAddress(request)
    await sessions.open(request, reply)
  }

  /** Does the same as `openSession`, and throws 401 if a stranger may not read the community. */
  async function openReaderSession(request: FastifyRequest, reply: FastifyReply) {
    await openSession(request, reply)
    assertAccess({ access: 'reader' }, request)
  }

  const admit = (endpoint: Endpoint) => async (request: FastifyRequest, reply: FastifyReply) => {
    await openSession(request, reply)
    if (endpoint.method !== 'GET') sessions.checkCsrfToken(request)
    assertAccess(endpoint, request)
  }

  /**
   * Throws 401 or 403 unless the endpoint's access level allows the request. This is the one place that keeps
   * strangers out of a members-only community.
   */
  function assertAccess({ access }: Pick<Endpoint, 'access'>, request: FastifyRequest) {
    const { me } = request.session!
    if (!me && !isOpenToVisitors(access, context.settings)) throw httpErrors.unauthenticated()
    if (access === 'admin' && !me!.is_admin)
      throw me!.needs_second_step ? httpErrors.secondStepNeeded() : httpErrors.adminsOnly()
  }

  function addRoute(endpoint: Endpoint, handler: AnyHandler) {
    const call = createCall(endpoint, handler, context)
    calls.set(endpoint, call)
    const { files, acceptsForm } = endpoint.options
    const scope = files ? multipart : acceptsForm ? urlEncoded : app
    scope.route({
      method: endpoint.method,
      url: endpoint.path,
      bodyLimit: acceptsForm ? FORM_LIMIT : JSON_LIMIT,
      onRequest: [admit(endpoint), ...limits.beforeBody(endpoint)],
      // Writes take no turns: they wait for the disk or a queue, and groups of them commit together.
      preHandler: [...limits.afterBody(endpoint), ...(endpoint.method === 'GET' ? turns : [])],
      handler: createRouteHandler(endpoint, call, context),
    })
  }

  return {
    openSession,
    openReaderSession,
    /**
     * Serves the endpoints of a contract with its handlers. A missing handler or a wrong response does not
     * compile.
     */
    serve<C extends FeatureContract>(contract: C, handlers: EndpointHandlers<C>) {
      for (const [name, endpoint] of Object.entries(contract))
        addRoute(endpoint, handlers[name as keyof C] as AnyHandler)
    },
    /**
     * Returns the response of an endpoint inside another request. Pages use it for their initial data. Throws
     * the HttpError that the endpoint would respond with.
     */
    async answer(endpoint: Endpoint, request: FastifyRequest, input: Record<string, unknown>) {
      assertAccess(endpoint, request)
      const { body, next } = await calls.get(endpoint)!(request, input, [])
      return { body: body instanceof JsonText ? body.toJSON() : body, next }
    },
  }
}
export type EndpointRouter = ReturnType<typeof createEndpointRouter>

/** Whether an access level allows requests without a session, by the settings of this moment. */
const isOpenToVisitors = (access: AccessLevel, settings: CommunitySettings) =>
  access === 'anyone' || (access === 'reader' && !settings.isMembersOnly())

/** The largest bodies, in bytes, without files. 64 kB are several times the longest texts of an endpoint. */
const JSON_LIMIT = 2 ** 16
const FORM_LIMIT = 2 ** 13

interface RequestBody {
  fields: object
  files: readonly RequestUpload[]
}

/**
 * Makes the handler of a route. It reads the body, calls the endpoint, sends the response, and deletes the
 * files of the request.
 */
function createRouteHandler(endpoint: Endpoint, call: Call, { media, settings }: AppContext) {
  const { files: allowed } = endpoint.options

  async function respond(request: FastifyRequest, reply: FastifyReply, { fields, files }: RequestBody) {
    try {
      if (!isOpenToVisitors(endpoint.access, settings) && reply.elapsedTime > SLOW_BODY)
        await checkSession(request)
      // Only GET reads parameters from the query, because URLs are written into logs.
      const query = endpoint.method === 'GET' ? (request.query as object) : {}
      const input = { ...query, ...fields, ...(request.params as object) }
      return await send(endpoint, reply, await call(request, input, files))
    } finally {
      if (files.length) await media.discard(files)
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (!allowed || !request.isMultipart())
      return respond(request, reply, { fields: readFields(request), files: [] })
    const member = request.session!.me?.id ?? 0
    const release = await media.reserve(member, readFormContentLength(request, allowed))
    try {
      const uploader = { member, signal: disconnected(reply) }
      return await respond(request, reply, await readMultipartForm(request, allowed, media, uploader))
    } finally {
      release()
    }
  }
}

/** Returns a signal that aborts when the client disconnects, and also after the response. */
function disconnected(reply: FastifyReply) {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort(malformedBodyError()))
  return controller.signal
}

function readFields(request: FastifyRequest): object {
  const body = request.body ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) throw bodyNotObjectError()
  return body
}

/**
 * If a body has arrived more than this many ms after the start of its request, the session is checked again.
 */
const SLOW_BODY = 1000

/** Throws 401 if the session has ended while the body was arriving. */
async function checkSession(request: FastifyRequest) {
  if (!(await request.session!.isValid())) throw httpErrors.unauthenticated()
}

interface CallResult {
  body: unknown
  /** The URL of the next page; null on the last page, and if the endpoint returns no list. */
  next: string | null
}
type Call = (
  request: FastifyRequest,
  input: Record<string, unknown>,
  files: readonly RequestUpload[],
) => Promise<CallResult>

/** Makes a function that checks the input and runs the handler. It throws 422 if the input is wrong. */
const createCall =
  (endpoint: Endpoint, handler: AnyHandler, context: AppContext): Call =>
  async (request, given, files) => {
    const parsed = v.safeParse(endpoint.input, given)
    if (!parsed.success) throw invalidInputError(parsed.issues)
    const session = request.session!
    const { me, lang } = session
    const client = toRequestClient(context.config, request)
    const input = parsed.output
    const answer = await handler({ ...context, me, input, files, lang, client, session } as never)
    if (!endpoint.options.paginated) return { body: answer, next: null }
    const { body, next } = answer as PagedResponse<unknown>
    return { body, next: next && nextUrl(endpoint, request, given, next) }
  }

function send({ options }: Endpoint, reply: FastifyReply, { body, next }: CallResult) {
  if (reply.raw.destroyed) return reply.send('') // the client has left, so the response is not serialized
  if (body instanceof FileDownload) return sendDownload(reply.request, reply, body)
  if (next) reply.header('link', `<${next}>; rel="next"`)
  // The output of a 204 endpoint is optional: with a body, the status is 200.
  reply.status(options.status === 204 && body !== undefined ? 200 : (options.status ?? 200))
  if (!(body instanceof JsonText)) return reply.send(body)
  return reply.type('application/json; charset=utf-8').send(body.bytes)
}

/**
 * Returns the URL of the endpoint with the cursor of the next page, and the other parameters of the request's
 * query.
 */
function nextUrl(
  endpoint: Endpoint,
  request: FastifyRequest,
  given: Record<string, unknown>,
  next: Record<string, number>,
) {
  const isCall = request.url.startsWith('/api/')
  const [path, asked = ''] = isCall ? request.url.split('?') : [fillPathParameters(endpoint.path, given)]
  const query = new URLSearchParams(asked)
  for (const [name, value] of Object.entries(next)) query.set(name, String(value))
  return `${path}?${query}`
}

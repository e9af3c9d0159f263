import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { SettingsStore } from '#core/community/settings.ts'
import type { AppContext, CurrentUser } from '#core/context.ts'
import { type Endpoint, type Endpoints, fillPath, type Language, type SchemaOf } from '#core/contract.ts'
import { type Client, clientOf } from '#core/http/client.ts'
import { Download, sendDownload } from '#core/http/downloads.ts'
import { bodyNotObject, httpErrors, invalidInput, malformedBody } from '#core/http/errors.ts'
import { maxSizes, readForm, requireFormSize } from '#core/http/forms.ts'
import { type PagedResponse, SerializedJson } from '#core/http/pagination.ts'
import type { Server } from '#core/http/server.ts'
import type { RequestSession, SessionService } from '#core/http/session.ts'
import type { UploadedFile } from '#core/media/media.ts'
import type { AccessLevel, EndpointSchemas, ServedEndpoint } from '#core/schemas.ts'

type Me<W extends AccessLevel> = W extends 'anyone' | 'reader' ? CurrentUser | null : CurrentUser
/**
 * The argument of an endpoint's handler: the services, and the request, with the types of the endpoint's
 * contract.
 */
export interface RequestContext<E extends Endpoint> extends AppContext {
  me: Me<SchemaOf<E>['access']>
  input: v.InferOutput<SchemaOf<E>['input']>
  files: readonly UploadedFile[]
  lang: Language
  client: Client
  session: Pick<
    RequestSession,
    'token' | 'renew' | 'isValid' | 'isConfirmed' | 'devices' | 'setDevices' | 'sendCookies'
  >
}
type Output<E extends Endpoint> = v.InferInput<SchemaOf<E>['output']>
type Body<E extends Endpoint> = Output<E> | SerializedJson<Output<E>>
type Options<E extends Endpoint> = SchemaOf<E>['options']
type Answer<E extends Endpoint> =
  Options<E> extends { download: string }
    ? Download
    : Options<E> extends { paginated: true }
      ? PagedResponse<Body<E>>
      : Body<E>
/**
 * Throws unless the current user may call the endpoint. `params` has the unchecked path parameters. Runs
 * before the body and the input are read, so that a user without the right gets 403 even if the input is
 * wrong. The right can end while the body arrives, so the handler must check the right again.
 */
type AccessCheck<W extends AccessLevel> = (
  context: AppContext & { me: Me<W> },
  params: Readonly<Record<string, string>>,
) => Promise<void> | void
interface Handler<E extends Endpoint> {
  (context: RequestContext<E>): Promise<Answer<E>> | Answer<E>
  checkAccess?: AccessCheck<SchemaOf<E>['access']>
}
export type Handlers<C extends Endpoints> = { [K in keyof C]: Handler<C[K]> }
interface AnyHandler {
  (context: never): unknown
  checkAccess?: AccessCheck<AccessLevel>
}

/** Returns whether endpoints exist for this member, or for a visitor. */
type IsOn = (me: CurrentUser | null) => Promise<boolean> | boolean

/**
 * Adds an access check to a handler, for endpoints that depend on more than the access level of the contract.
 */
export const withAccessCheck = <H extends (context: never) => unknown, W extends AccessLevel>(
  checkAccess: AccessCheck<W>,
  handler: H,
) => Object.assign(handler, { checkAccess })

/**
 * Turns endpoints of contracts into routes. The steps of a request, in order: limit of all requests of the
 * member or address, session, anti-forgery token, access checks, rate limits by address or account, body,
 * rate limits by a field of the body, turn (only GET), input, confirmation of identity, handler, response.
 */
export function createRouter(
  { app, multipart, urlEncoded, limits, turns }: Server,
  sessions: SessionService,
  context: AppContext,
) {
  const served = new Map<string, { endpoint: ServedEndpoint; call: Call }>()
  limits.setMemberOf(sessions.memberOf)

  /** Counts a request in the limit of its member or IP address, then sets `request.session`. */
  async function openSession(request: FastifyRequest, reply: FastifyReply) {
    await limits.limitRequests(request)
    await sessions.open(request, reply)
  }

  /**
   * Opens the session of a request, as `openSession` does. Throws 401 if the request comes from a visitor and
   * only members may read the community.
   */
  async function openReaderSession(request: FastifyRequest, reply: FastifyReply) {
    await openSession(request, reply)
    assertAccess({ access: 'reader' }, request, context.settings)
  }

  const admit =
    (endpoint: ServedEndpoint, { checkAccess }: AnyHandler, isOn?: IsOn) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      await openSession(request, reply)
      if (endpoint.method !== 'GET' && !endpoint.options.needsNoCsrfToken) sessions.checkCsrfToken(request)
      assertAccess(endpoint, request, context.settings)
      const { me } = request.session!
      // Checks the access level before, because strangers must not learn which features are on.
      if (isOn && !(await isOn(me))) throw httpErrors.notFound()
      await checkAccess?.({ ...context, me }, request.params as Record<string, string>)
    }

  function addRoute(endpoint: ServedEndpoint, handler: AnyHandler, isOn?: IsOn) {
    const call = createCall(endpoint, handler, context)
    served.set(routeOf(endpoint), { endpoint, call })
    const { files, acceptsForm } = endpoint.options
    const scope = files ? multipart : acceptsForm ? urlEncoded : app
    scope.route({
      method: endpoint.method,
      url: endpoint.path,
      bodyLimit: acceptsForm ? FORM_LIMIT : JSON_LIMIT,
      onRequest: [admit(endpoint, handler, isOn), ...limits.beforeBody(endpoint)],
      // Only GET requests wait for a turn (see request-order.ts). Other requests do not, because they
      // mostly wait for the disk or a queue, and SQLite commits the transactions of several requests
      // together.
      preHandler: [...limits.afterBody(endpoint), ...(endpoint.method === 'GET' ? turns : [])],
      handler: createRouteHandler(endpoint, call, context),
    })
  }

  return {
    openSession,
    openReaderSession,
    /**
     * Serves the endpoints of a contract with its handlers. A missing handler or a wrong response does not
     * compile. Where `isOn` returns false, the endpoints respond with 404.
     */
    serve<S extends EndpointSchemas>(
      contract: { readonly [K in keyof S]: ServedEndpoint<S[K]> },
      handlers: NoInfer<Handlers<Endpoints<S>>>,
      isOn?: IsOn,
    ) {
      for (const [name, endpoint] of Object.entries<ServedEndpoint>(contract))
        addRoute(endpoint, handlers[name] as AnyHandler, isOn)
    },
    /**
     * Runs an endpoint inside another request, and returns its body and the URL of the next page. Pages use
     * it for their initial data. The body may be a SerializedJson. It checks the access level and the
     * input, but runs neither the endpoint's `checkAccess` nor its rate limits. Throws the HttpError that
     * the endpoint would respond with.
     */
    async answer(called: Endpoint, request: FastifyRequest, input: Record<string, unknown>) {
      const { endpoint, call } = served.get(routeOf(called))!
      assertAccess(endpoint, request, context.settings)
      return call(request, input, [])
    },
  }
}
export type EndpointRouter = ReturnType<typeof createRouter>

const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Whether an access level allows requests without a session, by the settings of this moment. */
const isOpenToVisitors = (access: AccessLevel, settings: SettingsStore) =>
  access === 'anyone' || (access === 'reader' && !settings.isMembersOnly())

/**
 * The maximum sizes, in bytes, of JSON bodies and of URL-encoded forms; forms with files have other limits.
 * 64 kB hold the longest text of an endpoint, 10,000 characters of a post, in UTF-8. Posts also come as forms.
 */
const JSON_LIMIT = 2 ** 16
const FORM_LIMIT = 2 ** 13

interface RequestBody {
  fields: object
  files: readonly UploadedFile[]
}

/**
 * Makes the handler of a route. The handler reads the body, calls the endpoint, sends the response, and
 * deletes the temporary files of the upload.
 */
function createRouteHandler(endpoint: ServedEndpoint, call: Call, { config, media, settings }: AppContext) {
  const { files: allowed } = endpoint.options

  async function respond(request: FastifyRequest, reply: FastifyReply, { fields, files }: RequestBody) {
    try {
      if (!isOpenToVisitors(endpoint.access, settings) && reply.elapsedTime > SLOW_BODY)
        await checkAccessAgain(endpoint, request, settings)
      // Reads parameters from the query of GET requests only. Other methods may not use the query, because
      // URLs are written into logs.
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
    const maxFileMb = maxSizes(config, settings)
    const { bytes, limit } = requireFormSize(request, allowed, maxFileMb)
    const release = await media.reserve(member, bytes, limit)
    try {
      const uploader = { member, signal: disconnected(reply) }
      const form = await readForm(request, allowed, media, uploader, maxFileMb)
      return await respond(request, reply, form)
    } finally {
      release()
    }
  }
}

/** Returns a signal that aborts when the client disconnects, and also after the response. */
function disconnected(reply: FastifyReply) {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort(malformedBody()))
  return controller.signal
}

function readFields(request: FastifyRequest): object {
  const body = request.body ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) throw bodyNotObject()
  return body
}

/**
 * A time in ms after the start of a request. If the body arrives later than that, the session and the
 * access level are checked again.
 */
const SLOW_BODY = 1000

/** Throws 401 or 403 if the session or the right has ended while the body was arriving. */
async function checkAccessAgain(endpoint: ServedEndpoint, request: FastifyRequest, settings: SettingsStore) {
  await request.session!.reload()
  assertAccess(endpoint, request, settings)
}

/**
 * Throws 401 or 403 unless the endpoint's access level allows the request. All endpoints use this function
 * to keep strangers out of a members-only community.
 */
function assertAccess(
  { access }: Pick<ServedEndpoint, 'access'>,
  request: FastifyRequest,
  settings: SettingsStore,
) {
  const { me } = request.session!
  if (!(me && isMeant(me.id, request)) && !isOpenToVisitors(access, settings))
    throw httpErrors.unauthenticated()
  if (access === 'moderator' && !me!.is_moderator)
    throw me!.needs_second_step ? httpErrors.secondStepNeeded() : httpErrors.moderatorsOnly()
  if (access === 'admin' && !me!.is_admin)
    throw me!.needs_second_step ? httpErrors.secondStepNeeded() : httpErrors.adminsOnly()
}

/** False for a page of who was logged in before in the same browser. Other clients send no `x-member`. */
const isMeant = (me: number, { headers }: FastifyRequest) => (headers['x-member'] ?? `${me}`) === `${me}`

interface CallResult {
  body: unknown
  /** The URL of the next page; null on the last page, and if the endpoint returns no list. */
  next: string | null
}
type Call = (
  request: FastifyRequest,
  input: Record<string, unknown>,
  files: readonly UploadedFile[],
) => Promise<CallResult>

/**
 * Makes a function that checks the input and runs the handler. It throws 422 if the input is wrong, and 423
 * if the member must confirm their identity first.
 */
const createCall =
  (endpoint: ServedEndpoint, handler: AnyHandler, context: AppContext): Call =>
  async (request, given, files) => {
    const parsed = v.safeParse(endpoint.input, given)
    if (!parsed.success) throw invalidInput(parsed.issues)
    const session = request.session!
    if (endpoint.options.needsConfirmation === true && !(await session.isConfirmed()))
      throw httpErrors.confirmationNeeded()
    const { me, lang } = session
    const client = clientOf(context.config, request)
    const input = parsed.output
    const answer = await handler({ ...context, me, input, files, lang, client, session } as never)
    if (!endpoint.options.paginated) return { body: answer, next: null }
    const { body, next } = answer as PagedResponse<unknown>
    return { body, next: next && nextUrl(endpoint, request, given, next) }
  }

function send({ options }: ServedEndpoint, reply: FastifyReply, { body, next }: CallResult) {
  // Does not serialize the response if the client has left.
  if (reply.raw.destroyed) return reply.send('')
  if (body instanceof Download) return sendDownload(reply.request, reply, body)
  if (next) reply.header('link', `<${next}>; rel="next"`)
  // Responds with 200 instead of 204 if there is a body, because the output of a 204 endpoint is optional.
  reply.status(options.status === 204 && body !== undefined ? 200 : (options.status ?? 200))
  if (!(body instanceof SerializedJson)) return reply.send(body)
  return reply.type('application/json; charset=utf-8').send(body.bytes)
}

/**
 * Returns the URL of the endpoint with the cursor of the next page. Keeps the other query parameters of a
 * request to the API; a request for a page has none that the endpoint uses.
 */
function nextUrl(
  endpoint: Endpoint,
  request: FastifyRequest,
  given: Record<string, unknown>,
  next: Record<string, number | string>,
) {
  const isCall = request.url.startsWith('/api/')
  const [path, asked = ''] = isCall ? request.url.split('?') : [fillPath(endpoint.path, given)]
  const query = new URLSearchParams(asked)
  for (const [name, value] of Object.entries(next)) query.set(name, String(value))
  return `${path}?${query}`
}

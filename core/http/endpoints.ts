import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { AppContext, CurrentUser } from '#core/context.ts'
import { type Contract, type Endpoint, fillPath, type Lang, type Who } from '#core/contract.ts'
import { errors, invalidInput, notAnObject, wrongBodyType } from '#core/http/errors.ts'
import { readForm } from '#core/http/forms.ts'
import { JsonText, type Paged } from '#core/http/pagination.ts'
import type { HttpServer } from '#core/http/server.ts'
import type { RequestSession, Sessions } from '#core/http/session.ts'
import type { Upload } from '#core/media/media.ts'

type Me<W extends Who> = W extends 'anyone' ? CurrentUser | null : CurrentUser
/** The argument of a handler: the services, and the request as its contract describes it. */
export interface RequestContext<E extends Endpoint> extends AppContext {
  me: Me<E['who']>
  input: v.InferOutput<E['input']>
  files: readonly Upload[]
  lang: Lang
  session: Pick<RequestSession, 'token' | 'renew' | 'isAlive'>
}
type Output<E extends Endpoint> = v.InferInput<E['output']>
type Body<E extends Endpoint> = Output<E> | JsonText<Output<E>>
type Answer<E extends Endpoint> = E['traits'] extends { paged: true } ? Paged<Body<E>> : Body<E>
type Handler<E extends Endpoint> = (context: RequestContext<E>) => Promise<Answer<E>> | Answer<E>
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> }

/** Milliseconds that a body may take to arrive before the session is looked up once more. */
const SLOW_BODY = 1000

/** Turns endpoints of contracts into routes. */
export function createEndpoints(server: HttpServer, sessions: Sessions, context: AppContext) {
  const { app, forms, limits } = server
  const handlers = new Map<Endpoint, (context: never) => unknown>()

  /** Runs before every request: counts it for its address, then sets `request.session`. */
  async function openSession(request: FastifyRequest, reply: FastifyReply) {
    await limits.flood(request, reply)
    await sessions.open(request, reply)
  }

  /** Binds a contract to its handlers: a missing handler or a wrong answer does not compile. */
  function serve<C extends Contract>(contract: C, given: Handlers<C>) {
    for (const [name, endpoint] of Object.entries(contract)) {
      handlers.set(endpoint, given[name as keyof C] as (context: never) => unknown)
      const scope = endpoint.traits.files ? forms : app
      scope.route({
        method: endpoint.method,
        url: endpoint.path,
        onRequest: [
          async (request, reply) => {
            await openSession(request, reply)
            if (endpoint.method !== 'GET') sessions.checkCsrfToken(request)
            authorise(endpoint.who, request.session!.me)
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
    const { fields, files } = await readBody(endpoint, request)
    try {
      const isSlow = endpoint.who !== 'anyone' && reply.elapsedTime > SLOW_BODY
      if (isSlow && !(await request.session!.isAlive())) throw errors.unauthenticated()
      // Only GET takes parameters from the query: addresses are written into logs.
      const query = endpoint.method === 'GET' ? (request.query as object) : {}
      const input = { ...query, ...fields, ...(request.params as object) }
      const { body, next } = await run(endpoint, request, input, files)
      if (next) reply.header('link', `<${next}>; rel="next"`)
      reply.status(endpoint.traits.status ?? 200)
      if (!(body instanceof JsonText)) return reply.send(body)
      return reply.type('application/json; charset=utf-8').send(body.bytes)
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
    const session = request.session!
    const input = v.safeParse(endpoint.input, given)
    if (!input.success) throw invalidInput(input.issues)
    const { me, lang } = session
    const answer = await handlers.get(endpoint)!({
      ...context,
      me,
      input: input.output,
      files,
      lang,
      session,
    } as never)
    if (!endpoint.traits.paged) return { body: answer, next: null }
    const { body, next } = answer as Paged<unknown>
    return { body, next: next && nextUrl(endpoint, request, given, next) }
  }

  async function readBody(endpoint: Endpoint, request: FastifyRequest) {
    if (endpoint.traits.files && request.isMultipart())
      return readForm(request, endpoint.traits.files, context.media)
    const body = request.body ?? {}
    if (body instanceof URLSearchParams) {
      if (body.size && !endpoint.traits.form) throw wrongBodyType()
      return { fields: Object.fromEntries(body), files: [] }
    }
    if (typeof body !== 'object' || Array.isArray(body)) throw notAnObject()
    return { fields: body, files: [] }
  }

  return {
    serve,
    openSession,
    /** Answers a call inside another request, as a page does with its first data. Throws what the call would answer with. */
    async answer(endpoint: Endpoint, request: FastifyRequest, input: Record<string, unknown>) {
      authorise(endpoint.who, request.session!.me)
      const { body, next } = await run(endpoint, request, input, [])
      return { body: body instanceof JsonText ? body.toJSON() : body, next }
    },
  }
}
export type Endpoints = ReturnType<typeof createEndpoints>

function authorise(who: Who, me: CurrentUser | null) {
  if (who !== 'anyone' && !me) throw errors.unauthenticated()
  if (who === 'admin' && !me!.is_admin) throw errors.adminsOnly()
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

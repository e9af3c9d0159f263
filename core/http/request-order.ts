import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Config } from '#core/config.ts'
import { HttpError } from '#core/http/errors.ts'
import { networkOf } from '#core/http/rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The turns of the member or the IP address that sent this request, as long as this request has one of
     * them; otherwise null.
     */
    turn: PayerTurns | null
  }
}

/** The maximum number of pipelined requests of one connection that wait. Browsers do not pipeline. */
const MAX_PIPELINED = 64

/**
 * Runs one request of a connection at a time. Node hands over all pipelined requests (RFC 9112, 9.3.2) at
 * once; here each request waits until the response to the previous request has been passed to the operating
 * system. So a client that sends requests and reads no responses costs only the memory of one response. A
 * request whose connection closes while it waits never runs. If more than `maxPipelined` requests wait, the
 * connection is closed.
 */
export function keepPipelineOrder(app: FastifyInstance, maxPipelined = MAX_PIPELINED) {
  const waiting = new WeakMap<Socket, number>()
  app.addHook('onRequest', ({ raw: { socket } }, reply, next) => {
    // Runs the request at once if its response has the socket. Node gives the socket to one response at a
    // time, in the order of the requests.
    if (reply.raw.socket) return next()
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > maxPipelined) return void socket.destroy()
    waiting.set(socket, count)
    reply.raw.once('socket', () => {
      waiting.set(socket, waiting.get(socket)! - 1)
      // setImmediate lets the event loop serve other connections between two requests.
      setImmediate(() => socket.destroyed || next())
    })
  })
}

interface PayerTurns {
  /** The member, or the IP address of visitors (see `FastifyRequest.payer`). */
  payer: string
  /**
   * The number of requests of this payer that have a turn, which means that they run or are about to run.
   */
  held: number
  waiting: WaitingRequest[]
}
interface WaitingRequest {
  request: FastifyRequest
  turns: PayerTurns
  next: () => void
}

const turnLimits = {
  /**
   * The maximum number of requests of one member or address that compute at the same time. Long responses are
   * compressed in Node's four threads, so one thread stays free for others.
   */
  concurrency: 3,
  /**
   * The maximum number of requests of one member or address that wait. Further requests are refused with 503.
   * An address has at most 400 connections.
   */
  capacity: 300,
}

/**
 * Returns the hooks that a route runs before its handler, so that nobody can take the processor from others.
 * A request runs only while it has a turn; a member, or the visitors of an address, have a few turns, and
 * their further requests wait. Each round of the event loop begins one waiting request, and those who wait
 * alternate. A turn ends when the response is ready to be sent, its compression included, because the client
 * decides how long the sending takes. With RATE_LIMIT=off it returns no hooks.
 */
export function fairQueueHooks(
  app: FastifyInstance,
  { RATE_LIMIT }: Pick<Config, 'RATE_LIMIT'>,
  given: Partial<typeof turnLimits> = {},
) {
  const { concurrency, capacity } = { ...turnLimits, ...given }
  const payers = new Map<string, PayerTurns>()
  /** The requests that waited and have got a turn now. One of them begins in each round of the event loop. */
  const ready: WaitingRequest[] = []
  app.decorateRequest('turn', null)
  if (!RATE_LIMIT) return []

  const waitForTurn: onRequestHookHandler = (request, _, next) => {
    const payer = request.payer ?? `address ${networkOf(request.ip)}`
    let turns = payers.get(payer)
    if (!turns) {
      turns = { payer, held: 0, waiting: [] }
      payers.set(payer, turns)
    }
    if (turns.waiting.length >= capacity) return next(tooManyWaiting())
    if (turns.held >= concurrency) return void turns.waiting.push({ request, turns, next })
    turns.held++
    request.turn = turns
    next()
  }

  function release(turns: PayerTurns) {
    const following = turns.waiting.shift()
    if (following) {
      if (ready.push(following) === 1) setImmediate(beginOne)
    } else if (--turns.held === 0) payers.delete(turns.payer)
  }

  function beginOne() {
    const { request, turns, next } = ready.shift()!
    if (ready.length) setImmediate(beginOne)
    if (request.raw.socket.destroyed) return release(turns)
    request.turn = turns
    next()
  }

  app.addHook('onSend', (request, _, payload, done) => {
    const { turn } = request
    if (turn) {
      request.turn = null
      release(turn)
    }
    done(null, payload)
  })
  return [waitForTurn]
}

/** The Retry-After value, in seconds, when too many requests wait. */
const RETRY_AFTER = 5

const tooManyWaiting = () =>
  new HttpError(
    503,
    {
      en: `Too many requests wait. Try again in ${RETRY_AFTER} seconds.`,
      ja: `ただいま混み合っています。${RETRY_AFTER}秒後に、もう一度お試しください。`,
    },
    undefined,
    { 'retry-after': String(RETRY_AFTER) },
  )

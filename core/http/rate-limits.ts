import { createHash } from 'node:crypto'
import fastifyRateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '#core/config.ts'
import { memoize } from '#core/database/cache.ts'
import { countFor } from '#core/http/connection-owners.ts'
import { HttpError } from '#core/http/errors.ts'
import type { Redis } from '#core/process/redis.ts'
import type { PerMinute, ServedEndpoint } from '#core/schemas.ts'
import { foldAddress } from '#core/text/addresses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * For whom this request counts: `member ID`, or `address NETWORK` for a visitor; null until it is counted
     * in the limit of all requests.
     */
    payer: string | null
  }
}

const MINUTE = 60_000
/** The maximum number of requests in a minute of one member, or of all visitors of one IP address. */
const MAX_REQUESTS = 6000
const DEFAULT_LIMITS: readonly PerMinute[] = [{ max: 1200, by: 'account' }]

/** Finds the id of the member who sends a request; null for a visitor. */
export type MemberOf = (request: Pick<FastifyRequest, 'headers'>) => Promise<number | null>

/**
 * Creates hooks that count requests, and reject those beyond the limit with 429 and `Retry-After`. With
 * RATE_LIMIT=off, nothing is counted or rejected. With `redis`, all processes count together; while Redis
 * is unavailable, each process counts alone.
 */
export async function rateLimitHooks(app: FastifyInstance, { RATE_LIMIT }: Config, redis: Redis | null) {
  await app.register(fastifyRateLimit, { global: false, store: MonotonicRateLimitStore })
  const createHook = (
    name: string,
    max: number,
    keyGenerator: (request: FastifyRequest) => string,
    refuse: typeof tooManyRequests = tooManyRequests,
  ) => {
    const countHere = app.createRateLimit({ max, timeWindow: MINUTE, keyGenerator })
    const waitHere = async (request: FastifyRequest) => {
      const tried = await countHere(request)
      return !tried.isAllowed && tried.isExceeded ? tried.ttlInSeconds : 0
    }
    /**
     * Counts the request. Resolves to the seconds until the client may try again; 0 if the request is
     * allowed.
     */
    const waitOf = async (request: FastifyRequest) => {
      if (!redis) return waitHere(request)
      const shared = await countInRedis(redis, `${name} ${keyGenerator(request)}`).catch(() => null)
      return shared ? (shared.tries > max ? shared.seconds : 0) : waitHere(request)
    }
    return async (request: FastifyRequest) => {
      const seconds = await waitOf(request)
      if (seconds) throw refuse(seconds)
    }
  }
  const hooks = (name: string, list: readonly PerMinute[]) =>
    RATE_LIMIT
      ? list.map(({ max, by }, index) =>
          createHook(`${name} ${index}`, max, (request) => countedBy(by, request)),
        )
      : []
  const hooksOf = ({ method, path, options }: ServedEndpoint, type: 'string' | 'object', suffix = '') =>
    hooks(
      `${method} ${path}${suffix}`,
      (options.limits ?? DEFAULT_LIMITS).filter(({ by }) => typeof by === type),
    )
  let recognise: MemberOf = async () => null
  const memberOf: MemberOf = (request) => (RATE_LIMIT ? recognise(request) : Promise.resolve(null))
  app.decorateRequest('payer', null)
  const countRequest = RATE_LIMIT
    ? createHook('flood 0', MAX_REQUESTS, ({ payer }) => payer!, tooManyRequestsAndClose)
    : null
  return {
    /** Sets the function that recognises members. Until then, all requests count as those of visitors. */
    setMemberOf(given: MemberOf) {
      recognise = given
    },
    /** Finds the member who sends a request; null for a visitor, and with RATE_LIMIT=off. */
    memberOf,
    /**
     * Limits all requests of one member or, for visitors, of one IP address, and counts each request once. It
     * runs before the session is opened.
     */
    async limitRequests(request: FastifyRequest) {
      if (request.payer !== null || !countRequest) return
      const member = await memberOf(request)
      request.payer = member === null ? toAddressKey(request) : `member ${member}`
      if (member !== null) countFor(request.raw.socket, request.payer)
      await countRequest(request)
    },
    /** Returns the hooks for limits by IP address or account. They run before the body is read. */
    beforeBody: (endpoint: ServedEndpoint) => hooksOf(endpoint, 'string'),
    /** Returns the hooks for limits by a field of the body. They run once the body has arrived. */
    afterBody: (endpoint: ServedEndpoint) => hooksOf(endpoint, 'object', ' body'),
  }
}

const COUNT = `
  local tries = redis.call('incr', KEYS[1])
  if tries == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
  return {tries, redis.call('pttl', KEYS[1])}`

async function countInRedis(redis: Redis, key: string) {
  // Hashes `key`, which may contain the IP address or e-mail address of a person, because operators of Redis
  // can read keys.
  const hidden = createHash('sha256').update(redis.keyPrefix).update(key).digest('base64url')
  const [tries, left] = (await redis.runScript(
    COUNT,
    `${redis.keyPrefix}:limit:${hidden}`,
    String(MINUTE),
  )) as [number, number]
  return { tries, seconds: Math.max(1, Math.ceil(left / 1000)) }
}

/** The characters of a field that tell attempts apart. Folding a long text can take seconds. */
const MAX_COUNTED_LENGTH = 255

const toAddressKey = ({ ip }: FastifyRequest) => `address ${networkOf(ip)}`

function countedBy(by: PerMinute['by'], request: FastifyRequest) {
  if (by === 'account' && request.session?.me) return `member ${request.session.me.id}`
  const address = toAddressKey(request)
  if (typeof by === 'string') return address
  const value = (request.body as Record<string, unknown> | null)?.[by.field]
  return `${address} ${typeof value === 'string' ? foldAddress(value.trim().slice(0, MAX_COUNTED_LENGTH)) : ''}`
}

const CACHED_ADDRESSES = 1000

/**
 * Returns the part of an IP address that belongs to one customer of an internet provider: the whole IPv4
 * address, or the /64 of an IPv6 address (RFC 6177). Returns any other text unchanged.
 */
export const networkOf = memoize(CACHED_ADDRESSES, (ip: string) => {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const prefix = address.parts.slice(0, 4)
  return prefix.map((part) => part.toString(16)).join(':')
})

/**
 * Creates the error 429 whose response also closes the connection, so that pipelined requests on it
 * cost nothing.
 */
function tooManyRequestsAndClose(seconds: number) {
  const { status, messages, headers } = tooManyRequests(seconds)
  return new HttpError(status, messages, undefined, { ...headers, connection: 'close' })
}

export const tooManyRequests = (seconds: number) =>
  new HttpError(
    429,
    {
      en: `Too many tries. Try again in ${seconds} seconds.`,
      ja: `少し間をおいてください。${seconds}秒後に、もう一度お試しください。`,
    },
    undefined,
    { 'retry-after': String(seconds) },
  )

interface RateLimitWindow {
  tries: number
  endsAt: number
}
/**
 * The maximum number of clients that one limit counts at a time. Beyond it, the count of the client whose
 * last request is the oldest is forgotten.
 */
const MAX_WINDOWS = 5000

/**
 * Counts requests with a monotonic clock. The library's own store uses the clock of the machine: if that is
 * set back by two days, clients are locked out for two days.
 */
class MonotonicRateLimitStore implements FastifyRateLimitStore {
  private readonly windows = new Map<string, RateLimitWindow>()

  incr(
    key: string,
    done: (error: Error | null, result?: { current: number; ttl: number }) => void,
    ms: number,
  ) {
    const now = performance.now()
    const known = this.windows.get(key)
    const window = known && known.endsAt > now ? known : { tries: 0, endsAt: now + ms }
    window.tries++
    // Deletes the entry before it is added again, so that the map is in the order of the last tries.
    this.windows.delete(key)
    this.windows.set(key, window)
    if (this.windows.size > MAX_WINDOWS) this.windows.delete(this.windows.keys().next().value!)
    done(null, { current: window.tries, ttl: Math.ceil(window.endsAt - now) })
  }

  child() {
    return new MonotonicRateLimitStore()
  }
}

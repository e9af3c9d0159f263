import { createHash } from 'node:crypto'
import fastifyRateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '#core/config.ts'
import { type Endpoint, foldCase, type Limit } from '#core/contract.ts'
import { memoize } from '#core/database/cache.ts'
import { HttpError } from '#core/http/errors.ts'
import type { Redis } from '#core/redis.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the limit of all requests of an address has counted this one. */
    isCounted: boolean
  }
}

const MINUTE = 60_000
const standard: readonly Limit[] = [{ most: 1200, by: 'account' }]

/**
 * Hooks that count tries and refuse those beyond the limit with 429 and `Retry-After`; none with
 * RATE_LIMIT=off. `redis` counts for all processes; while it is away each counts for itself.
 */
export async function createRateLimits(app: FastifyInstance, { RATE_LIMIT }: Config, redis: Redis | null) {
  await app.register(fastifyRateLimit, { global: false, store: Windows })
  const hook = (name: string, { most, by }: Limit, refuse: typeof tooOften = tooOften) => {
    const keyGenerator = (request: FastifyRequest) => countedBy(by, request)
    const countHere = app.createRateLimit({ max: most, timeWindow: MINUTE, keyGenerator })
    const waitHere = async (request: FastifyRequest) => {
      const tried = await countHere(request)
      return !tried.isAllowed && tried.isExceeded ? tried.ttlInSeconds : 0
    }
    /** Seconds until the client may try again; 0 where it may go on. */
    const waitOf = async (request: FastifyRequest) => {
      if (!redis) return waitHere(request)
      const shared = await countInRedis(redis, `${name} ${countedBy(by, request)}`).catch(() => null)
      return shared ? (shared.tries > most ? shared.seconds : 0) : waitHere(request)
    }
    return async (request: FastifyRequest) => {
      const seconds = await waitOf(request)
      if (seconds) throw refuse(seconds)
    }
  }
  const hooks = (name: string, list: readonly Limit[]) =>
    RATE_LIMIT ? list.map((limit, index) => hook(`${name} ${index}`, limit)) : []
  const hooksOf = ({ method, path, traits }: Endpoint, type: 'string' | 'object', suffix = '') =>
    hooks(
      `${method} ${path}${suffix}`,
      (traits.limits ?? standard).filter(({ by }) => typeof by === type),
    )
  app.decorateRequest('isCounted', false)
  const countRequest = RATE_LIMIT ? hook('flood 0', { most: 6000, by: 'address' }, tooManyRequests) : null
  return {
    /** Limits all requests of one address, and counts each once. It runs before the session is looked up. */
    flood(request: FastifyRequest) {
      if (request.isCounted || !countRequest) return
      request.isCounted = true
      return countRequest(request)
    },
    early: (endpoint: Endpoint) => hooksOf(endpoint, 'string'),
    /** Limits by a field of the body. They run once the body has arrived. */
    late: (endpoint: Endpoint) => hooksOf(endpoint, 'object', ' body'),
  }
}

const COUNT = `
  local tries = redis.call('incr', KEYS[1])
  if tries == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
  return {tries, redis.call('pttl', KEYS[1])}`

async function countInRedis(redis: Redis, key: string) {
  // A key contains the address of a person, so it is hashed: operators of Redis can read keys.
  const hidden = createHash('sha256').update(redis.name).update(key).digest('base64url')
  const [tries, left] = (await redis.run(COUNT, `${redis.name}:limit:${hidden}`, String(MINUTE))) as [
    number,
    number,
  ]
  return { tries, seconds: Math.max(1, Math.ceil(left / 1000)) }
}

function countedBy(by: Limit['by'], request: FastifyRequest) {
  if (by === 'account' && request.session?.me) return `member ${request.session.me.id}`
  const address = `address ${networkOf(request.ip)}`
  if (typeof by === 'string') return address
  const value = (request.body as Record<string, unknown> | null)?.[by.field]
  return `${address} ${typeof value === 'string' ? foldCase(value.trim()).slice(0, 255) : ''}`
}

/** Addresses whose networks are cached. */
const CACHED_ADDRESSES = 1000

/**
 * The part of an address that belongs to one customer: an IPv4 address whole, of IPv6 the /64 (RFC 6177).
 * Returns any other text unchanged.
 */
export const networkOf = memoize(CACHED_ADDRESSES, (ip: string) => {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const prefix = address.parts.slice(0, 4)
  return prefix.map((part) => part.toString(16)).join(':')
})

/** Ends the connection too, so that requests that were sent ahead on it cost nothing. */
function tooManyRequests(seconds: number) {
  const { status, words, headers } = tooOften(seconds)
  return new HttpError(status, words, undefined, { ...headers, connection: 'close' })
}

/** Refuses with 429 and Retry-After. */
export const tooOften = (seconds: number) =>
  new HttpError(
    429,
    {
      en: `Too many tries. Try again in ${seconds} seconds.`,
      ja: `操作の回数が多すぎます。${seconds}秒後にもう一度お試しください。`,
    },
    undefined,
    { 'retry-after': String(seconds) },
  )

interface Window {
  tries: number
  ends: number
}
/**
 * The number of clients that are counted at once. The one that was silent for the longest time is dropped.
 */
const MAX_WINDOWS = 5000

/**
 * Counts tries by a monotonic clock. The library's own store uses the clock of the machine: if that is put back
 * by two days, clients are shut out for two days.
 */
class Windows implements FastifyRateLimitStore {
  private readonly windows = new Map<string, Window>()

  incr(
    key: string,
    done: (error: Error | null, result?: { current: number; ttl: number }) => void,
    ms: number,
  ) {
    const now = performance.now()
    const known = this.windows.get(key)
    const window = known && known.ends > now ? known : { tries: 0, ends: now + ms }
    window.tries++
    this.windows.delete(key) // keeps the map in the order of the last tries
    this.windows.set(key, window)
    if (this.windows.size > MAX_WINDOWS) this.windows.delete(this.windows.keys().next().value!)
    done(null, { current: window.tries, ttl: Math.ceil(window.ends - now) })
  }

  child() {
    return new Windows()
  }
}

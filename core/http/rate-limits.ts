import { createHash } from 'node:crypto'
import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '#core/config.ts'
import { type Endpoint, foldCase, type Limit } from '#core/contract.ts'
import { HttpError } from '#core/http/errors.ts'
import { Windows } from '#core/http/rate-windows.ts'
import type { Redis } from '#core/redis.ts'

const MINUTE = 60_000
const standard: readonly Limit[] = [{ most: 1200, by: 'account' }]

/**
 * Hooks that count tries and refuse those beyond the limit with 429 and `Retry-After`; none with
 * RATE_LIMIT=off. `redis` counts for all processes; while it is away each counts for itself.
 */
export async function createRateLimits(app: FastifyInstance, { RATE_LIMIT }: Config, redis: Redis | null) {
  await app.register(fastifyRateLimit, { global: false, store: Windows })
  const hook = (name: string, { most, by }: Limit) => {
    const countHere = app.createRateLimit({
      max: most,
      timeWindow: MINUTE,
      keyGenerator: (request) => countedBy(by, request),
    })
    const alone = async (request: FastifyRequest) => {
      const tried = await countHere(request)
      return !tried.isAllowed && tried.isExceeded ? tried.ttlInSeconds : 0
    }
    const wait = async (request: FastifyRequest) => {
      if (!redis) return alone(request)
      const shared = await countTogether(redis, `${name} ${countedBy(by, request)}`).catch(() => null)
      return shared ? (shared.tries > most ? shared.seconds : 0) : alone(request)
    }
    return async (request: FastifyRequest) => {
      const seconds = await wait(request)
      if (seconds) throw tooOften(seconds)
    }
  }
  const hooks = (name: string, list: readonly Limit[]) =>
    RATE_LIMIT ? list.map((limit, index) => hook(`${name} ${index}`, limit)) : []
  const [flood = async () => {}] = hooks('flood', [{ most: 6000, by: 'address' }])
  return {
    /** Before anything is looked up: what one address may ask of the server at all. */
    flood,
    early: ({ method, path, traits: { limits = standard } }: Endpoint) =>
      hooks(
        `${method} ${path}`,
        limits.filter(({ by }) => typeof by === 'string'),
      ),
    /** These wait for the body. */
    late: ({ method, path, traits: { limits = standard } }: Endpoint) =>
      hooks(
        `${method} ${path} body`,
        limits.filter(({ by }) => typeof by === 'object'),
      ),
  }
}

const COUNT = `
  local tries = redis.call('incr', KEYS[1])
  if tries == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
  return {tries, redis.call('pttl', KEYS[1])}`

async function countTogether(redis: Redis, key: string) {
  // Addresses of people are in keys, and keys are read by whoever looks after Redis.
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

/**
 * The part of an address that belongs to one customer: an IPv4 address whole, of IPv6 the /64 (RFC 6177).
 * Returns any other text unchanged.
 */
export function networkOf(ip: string) {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const prefix = address.parts.slice(0, 4)
  return prefix.map((part) => part.toString(16)).join(':')
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

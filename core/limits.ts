import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'
import { folded, type Limit } from '#core/contract.ts'
import { Windows } from '#core/windows.ts'
import { Refuse } from '#core/words.ts'

const MINUTE = 60_000
const standard: readonly Limit[] = [{ most: 1200, by: 'account' }]

/** Hooks that count tries and refuse those beyond the limit with 429 and `Retry-After`; none with RATE_LIMIT=off. */
export async function openLimits(app: FastifyInstance, { RATE_LIMIT }: Config) {
  await app.register(fastifyRateLimit, { global: false, store: Windows })
  const hook = ({ most, by }: Limit) => {
    const count = app.createRateLimit({ max: most, timeWindow: MINUTE, keyGenerator: (request) => countedBy(by, request) })
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const tried = await count(request)
      if (tried.isAllowed || !tried.isExceeded) return
      reply.header('retry-after', tried.ttlInSeconds)
      throw tooOften(tried.ttlInSeconds)
    }
  }
  const hooks = (list: readonly Limit[]) => (RATE_LIMIT ? list.map(hook) : [])
  const [flood = async () => {}] = hooks([{ most: 6000, by: 'address' }])
  return {
    /** Before anything is looked up: what one address may ask of the server at all. */
    flood,
    early: (list = standard) => hooks(list.filter(({ by }) => typeof by === 'string')),
    /** These wait for the body. */
    late: (list = standard) => hooks(list.filter(({ by }) => typeof by === 'object')),
  }
}

function countedBy(by: Limit['by'], request: FastifyRequest) {
  if (by === 'account' && request.visit?.me) return `member ${request.visit.me.id}`
  const address = `address ${networkOf(request.ip)}`
  if (typeof by === 'string') return address
  const value = (request.body as Record<string, unknown> | null)?.[by.field]
  return `${address} ${typeof value === 'string' ? folded(value.trim()).slice(0, 255) : ''}`
}

/** Who has one IPv6 address has all of its /64 (RFC 6177). */
export function networkOf(ip: string) {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const before = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const gap = tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...gap, ...after]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}

const tooOften = (seconds: number) =>
  new Refuse(429, {
    en: `Too many tries. Try again in ${seconds} seconds.`,
    ja: `操作の回数が多すぎます。${seconds}秒後にもう一度お試しください。`,
  })

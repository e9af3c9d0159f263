import { createHash } from 'node:crypto'
import type { Config } from '#core/config.ts'
import type { Redis } from '#core/process/redis.ts'

const DAY = 24 * 3600_000
const MINUTE = 60_000
/**
 * About 20 MB. A full map drops the key that was counted first, so a count that is taken back keeps no key:
 * otherwise refused tries would drop those that count.
 */
const MAX_KEYS = 100_000

const ADD = `
  local count = redis.call('incrby', KEYS[1], ARGV[1])
  if redis.call('pttl', KEYS[1]) < 0 then redis.call('pexpire', KEYS[1], ARGV[2]) end
  return count`

/**
 * The function adds a number to a key, and resolves to the count of the day that began with its first number.
 * While Redis is unavailable, each process counts alone. 0 with RATE_LIMIT=off.
 */
export const dailyCounter = (config: Limited, redis: Redis | null, now?: () => number) =>
  createCounter(config, redis, DAY, now)

/** As `dailyCounter`, within a minute. */
export const minuteCounter = (config: Limited, redis: Redis | null) => createCounter(config, redis, MINUTE)

type Limited = Pick<Config, 'RATE_LIMIT'>

function createCounter(
  { RATE_LIMIT }: Limited,
  redis: Redis | null,
  period: number,
  now = () => performance.now(),
) {
  const counts = new Map<string, { count: number; endsAt: number }>()

  function addHere(key: string, number: number) {
    const known = counts.get(key)
    const entry = known && known.endsAt > now() ? known : { count: 0, endsAt: now() + period }
    entry.count += number
    if (entry.count > 0) counts.set(key, entry)
    else counts.delete(key)
    if (counts.size > MAX_KEYS) counts.delete(counts.keys().next().value!)
    return entry.count
  }

  return async (key: string, number: number): Promise<number> => {
    if (!RATE_LIMIT) return 0
    if (!redis) return addHere(key, number)
    // The key may contain the address of a person, and operators of Redis can read keys.
    const hidden = createHash('sha256').update(redis.keyPrefix).update(key).digest('base64url')
    const shared = redis.runScript(
      ADD,
      `${redis.keyPrefix}:count:${period}:${hidden}`,
      String(number),
      String(period),
    )
    return shared.then(Number).catch(() => addHere(key, number))
  }
}

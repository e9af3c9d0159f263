import { createHash } from 'node:crypto'
import type { Config } from '#core/config.ts'
import type { Redis } from '#core/redis.ts'

const DAY = 24 * 3600_000
const MINUTE = 60_000
/**
 * The maximum number of keys in memory, about 20 MB. A full map drops the key that was counted first, so a count
 * that is taken back keeps no key: otherwise refused tries would drop those that count.
 */
const MAX_KEYS = 100_000

const ADD = `
  local count = redis.call('incrby', KEYS[1], ARGV[1])
  if redis.call('pttl', KEYS[1]) < 0 then redis.call('pexpire', KEYS[1], ARGV[2]) end
  return count`

/**
 * Creates a function that adds a number to the count of a key, and returns the count of the day that began
 * with the first number. While Redis is unavailable, each process counts alone. With RATE_LIMIT=off it
 * returns 0.
 */
export const createDailyCounter = (config: Limited, redis: Redis | null, now?: () => number) =>
  createCounter(config, redis, DAY, now)

/** Creates a function that counts as that of `createDailyCounter`, within a minute. */
export const createMinuteCounter = (config: Limited, redis: Redis | null) =>
  createCounter(config, redis, MINUTE)

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
    // Hashes the key, because it may contain the address of a person, and operators of Redis can read keys.
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

import { createHash } from 'node:crypto'
import type { Config } from '#core/config.ts'
import { tooManyRequests } from '#core/http/rate-limits.ts'
import type { Redis } from '#core/process/redis.ts'

// Wrong passwords are counted per account, from whatever IP address. After FREE_ATTEMPTS each attempt waits
// twice as long, up to MAX_WAIT ms. Nobody is locked out: browsers that the owner has used have their own
// counter.

const FREE_ATTEMPTS = 10
const FIRST_WAIT = 1000
const MAX_WAIT = 5 * 60_000
const FORGET_AFTER = 24 * 3600_000
/** A full map drops its oldest entry; each of `delayed` costs an attacker FREE_ATTEMPTS tries. */
const MAX_ENTRIES = 20_000

interface Attempts {
  /** Includes attempts that are still running. */
  count: number
  /** In ms of `performance.now()`. */
  nextAttemptAt: number
  lastAttemptAt: number
}

const waitAfter = (count: number) =>
  count < FREE_ATTEMPTS ? 0 : Math.min(FIRST_WAIT * 2 ** Math.min(count - FREE_ATTEMPTS, 30), MAX_WAIT)

/** Tests pass their own clock. */
export function memoryCounter(now = () => performance.now()) {
  const undelayed = new Map<string, Attempts>()
  const delayed = new Map<string, Attempts>()

  function store(key: string, attempts: Attempts) {
    undelayed.delete(key)
    delayed.delete(key)
    const entries = attempts.count < FREE_ATTEMPTS ? undelayed : delayed
    entries.set(key, attempts)
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value!)
  }

  function find(key: string): Attempts {
    const known = delayed.get(key) ?? undelayed.get(key)
    return known && now() - known.lastAttemptAt < FORGET_AFTER
      ? known
      : { count: 0, nextAttemptAt: 0, lastAttemptAt: 0 }
  }

  return {
    begin(key: string) {
      const { count, nextAttemptAt } = find(key)
      if (nextAttemptAt > now()) return nextAttemptAt - now()
      store(key, { count: count + 1, nextAttemptAt: now() + waitAfter(count + 1), lastAttemptAt: now() })
      return 0
    },
    cancel(key: string) {
      const known = find(key)
      if (!known.count) return
      const count = known.count - 1
      // Takes back the wait that the cancelled attempt added, and keeps the time of later attempts.
      const nextAttemptAt = known.nextAttemptAt - waitAfter(known.count) + waitAfter(count)
      store(key, { ...known, count, nextAttemptAt })
    },
    succeed(key: string) {
      undelayed.delete(key)
      delayed.delete(key)
    },
    size: () => undelayed.size + delayed.size,
  }
}

/** A Lua function like `waitAfter`. */
const WAIT_AFTER = `
  local function wait_after(count)
    if count < ${FREE_ATTEMPTS} then return 0 end
    return math.min(${FIRST_WAIT} * 2 ^ math.min(count - ${FREE_ATTEMPTS}, 30), ${MAX_WAIT})
  end`

/**
 * Counts for all processes. Returns 0, or the ms to wait. Each key is a hash: `count`, and `open`, the time
 * of the next attempt in ms of the Redis clock.
 */
const BEGIN = `${WAIT_AFTER}
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local open = tonumber(redis.call('hget', KEYS[1], 'open') or '0')
  if open > now then return open - now end
  local count = redis.call('hincrby', KEYS[1], 'count', 1)
  redis.call('hset', KEYS[1], 'open', string.format('%d', now + wait_after(count)))
  redis.call('pexpire', KEYS[1], ${FORGET_AFTER})
  return 0`
const CANCEL = `${WAIT_AFTER}
  local count = tonumber(redis.call('hget', KEYS[1], 'count') or '0')
  if count < 1 then return 0 end
  local open = tonumber(redis.call('hget', KEYS[1], 'open') or '0')
  local earlier = open - wait_after(count) + wait_after(count - 1)
  redis.call('hset', KEYS[1], 'open', string.format('%d', earlier))
  return redis.call('hincrby', KEYS[1], 'count', -1)`
const SUCCEED = `return redis.call('del', KEYS[1])`

/**
 * `begin` counts an attempt and returns 0, or counts nothing and returns the ms to wait. `cancel` takes back
 * an attempt whose password was not compared, and its wait. `succeed` deletes the count. While Redis is
 * unavailable, each process counts alone. With RATE_LIMIT=off nothing is counted.
 */
export function attemptCounter({ RATE_LIMIT }: Config, redis: Redis | null) {
  const local = memoryCounter()
  const shared = async (script: string, key: string) => {
    if (!redis) return null
    // The key may contain an e-mail address, which operators of Redis must not be able to read.
    const hashedKey = createHash('sha256').update(redis.keyPrefix).update(key).digest('base64url')
    return redis.runScript(script, `${redis.keyPrefix}:log-in:${hashedKey}`).then(Number, () => null)
  }
  if (!RATE_LIMIT) return { begin: async () => 0, cancel: async () => {}, succeed: async () => {} }
  return {
    begin: async (key: string) => (await shared(BEGIN, key)) ?? local.begin(key),
    async cancel(key: string) {
      if ((await shared(CANCEL, key)) === null) local.cancel(key)
    },
    async succeed(key: string) {
      local.succeed(key)
      await shared(SUCCEED, key)
    },
  }
}

async function refuse(seconds: number): Promise<never> {
  throw tooManyRequests(seconds)
}

/**
 * `attempt` resolves to false if the password or code was wrong; a right one deletes the count. While the key
 * has to wait, `attempt` does not run, and `whileWaiting` gets the seconds (by default 429). If `attempt`
 * throws, it is not counted.
 */
export async function runAttempt<Result extends boolean | string>(
  attempts: ReturnType<typeof attemptCounter>,
  key: string,
  attempt: () => Promise<Result>,
  whileWaiting: (seconds: number) => Promise<Result> = refuse,
) {
  const wait = await attempts.begin(key)
  if (wait) return whileWaiting(Math.max(1, Math.ceil(Math.round(wait) / 1000)))
  const result = await attempt().catch(async (error: unknown) => {
    await attempts.cancel(key)
    throw error
  })
  if (result) await attempts.succeed(key)
  return result
}

import { createHash } from 'node:crypto'
import type { Config } from '#core/config.ts'
import type { Redis } from '#core/redis.ts'

// Wrong passwords are counted by account, from whatever addresses they come. After FREE of them each further
// try has to wait, twice as long each time. Nobody is locked out: the wait ends, and a browser that the owner
// has used is counted apart.

const FREE = 10
const FIRST_WAIT = 1000
const LONGEST_WAIT = 5 * 60_000
const FORGET_AFTER = 24 * 3600_000
/** Entries in memory. One that delays costs an attacker FREE tries, so it is evicted by its like alone. */
const MOST = 20_000

interface Attempts {
  /** Tries that were not right, those under way included. */
  count: number
  /** Milliseconds of `performance.now()`. */
  openAt: number
  last: number
}

const waitAfter = (count: number) =>
  count < FREE ? 0 : Math.min(FIRST_WAIT * 2 ** Math.min(count - FREE, 30), LONGEST_WAIT)

/** Counts in this process. Tests call it with a clock. */
export function createLocalAttempts(now = () => performance.now()) {
  const few = new Map<string, Attempts>()
  const many = new Map<string, Attempts>()

  function store(key: string, attempts: Attempts) {
    few.delete(key)
    many.delete(key)
    const entries = attempts.count < FREE ? few : many
    entries.set(key, attempts)
    if (entries.size > MOST) entries.delete(entries.keys().next().value!)
  }

  function find(key: string): Attempts {
    const known = many.get(key) ?? few.get(key)
    return known && now() - known.last < FORGET_AFTER ? known : { count: 0, openAt: 0, last: 0 }
  }

  return {
    begin(key: string) {
      const { count, openAt } = find(key)
      if (openAt > now()) return openAt - now()
      store(key, { count: count + 1, openAt: now() + waitAfter(count + 1), last: now() })
      return 0
    },
    cancel(key: string) {
      const known = find(key)
      if (known.count) store(key, { ...known, count: known.count - 1, openAt: 0 })
    },
    succeed(key: string) {
      few.delete(key)
      many.delete(key)
    },
    size: () => few.size + many.size,
  }
}

/** The same in Redis, for all processes. A hash holds `count` and `open`, in milliseconds of the clock of Redis. */
const BEGIN = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local open = tonumber(redis.call('hget', KEYS[1], 'open') or '0')
  if open > now then return open - now end
  local count = redis.call('hincrby', KEYS[1], 'count', 1)
  local wait = 0
  if count >= ${FREE} then wait = math.min(${FIRST_WAIT} * 2 ^ math.min(count - ${FREE}, 30), ${LONGEST_WAIT}) end
  redis.call('hset', KEYS[1], 'open', string.format('%d', now + wait))
  redis.call('pexpire', KEYS[1], ${FORGET_AFTER})
  return 0`
const CANCEL = `
  if redis.call('exists', KEYS[1]) == 0 then return 0 end
  redis.call('hset', KEYS[1], 'open', 0)
  return redis.call('hincrby', KEYS[1], 'count', -1)`
const SUCCEED = `return redis.call('del', KEYS[1])`

/**
 * Counts tries to log in. `begin` counts a try, or returns the milliseconds to wait. `cancel` takes a try back whose password
 * was not compared. `succeed` forgets all tries. Counts by process while Redis is away, and not at all with RATE_LIMIT=off.
 */
export function createLogInAttempts({ RATE_LIMIT }: Config, redis: Redis | null) {
  const local = createLocalAttempts()
  const shared = async (script: string, key: string) => {
    if (!redis) return null
    // E-mail addresses are personal: whoever looks after Redis must not read them.
    const hidden = createHash('sha256').update(redis.name).update(key).digest('base64url')
    return redis.run(script, `${redis.name}:log-in:${hidden}`).then(Number, () => null)
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

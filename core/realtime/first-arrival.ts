import type { Redis } from '#core/process/redis.ts'

/** In each of two generations. */
const MAX_REMEMBERED = 100_000

const COUNT = `return redis.call('set', KEYS[1], '1', 'nx', 'px', ARGV[1]) and 1 or 0`

/**
 * `signature` are the bytes of the signature. A request is remembered for `memory` ms: in Redis for all
 * processes, and here, where the oldest are forgotten early if there are too many. Without an answer of
 * Redis, each process counts alone.
 */
export function createFirstCheck(redis: Pick<Redis, 'runScript' | 'keyPrefix'> | null, memory: number) {
  let [newer, older] = [new Set<string>(), new Set<string>()]
  let since = performance.now()

  function isFirstHere(key: string) {
    if (newer.size >= MAX_REMEMBERED || performance.now() - since >= memory) {
      ;[newer, older] = [new Set(), newer]
      since = performance.now()
    }
    if (newer.has(key) || older.has(key)) return false
    newer.add(key)
    return true
  }

  return async (signature: Buffer) => {
    const key = signature.subarray(0, 16).toString('base64url')
    if (!isFirstHere(key)) return false
    if (!redis) return true
    const asked = redis.runScript(COUNT, `${redis.keyPrefix}:signed:${key}`, String(memory))
    return asked.then(Boolean, () => true)
  }
}

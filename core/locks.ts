import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from '#core/redis.ts'

/**
 * Runs `run` while it holds the lock of `key`. Callers get the lock in the order in which they ask; keys
 * are independent.
 */
export type WithLock = <T>(key: string, run: () => Promise<T>) => Promise<T>

/** Locks of this process. */
export function createLocks(): WithLock {
  const last = new Map<string, Promise<unknown>>()
  return (key, run) => {
    const result = (last.get(key) ?? Promise.resolve()).then(run, run)
    last.set(key, result)
    const forget = () => last.get(key) === result && last.delete(key)
    result.then(forget, forget)
    return result
  }
}

/**
 * Milliseconds: the lock of a process that dies is free after so long, and a caller waits for a lock no
 * longer than that.
 */
const LOCK_TIMEOUT = 10_000

const ACQUIRE = "return redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2])"
const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"

/**
 * Locks of all processes that share this Redis. A lock is released after `flushed` has resolved: so the
 * events of its holder reach the other processes before the events of the next holder. The locks only keep
 * an order; the database keeps rows consistent. So while Redis is away, each process has locks of its own.
 */
export function createSharedLocks(redis: Redis, flushed: () => Promise<unknown>): WithLock {
  const withLocalLock = createLocks()
  return (key, run) =>
    withLocalLock(key, async () => {
      const lock = `${redis.name}:lock:${key}`
      const token = randomUUID()
      await acquire(redis, lock, token)
      try {
        return await run()
      } finally {
        await flushed()
        redis.run(RELEASE, lock, token).catch(() => {}) // it expires by itself
      }
    })
}

async function acquire(redis: Redis, lock: string, token: string) {
  const isAcquired = () => redis.run(ACQUIRE, lock, token, String(LOCK_TIMEOUT)).catch(() => 'away')
  for (const deadline = Date.now() + LOCK_TIMEOUT; !(await isAcquired()) && Date.now() < deadline; )
    await sleep(1 + Math.random() * 8)
}

/**
 * Runs `run` for every item, for at most `limit` at a time. After a failure no more items are begun; the
 * failure is thrown once those that have begun are over, so that the caller may clean up what they wrote.
 */
export async function forEachLimit<T>(items: Iterable<T>, limit: number, run: (item: T) => Promise<void>) {
  const remaining = items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async () => {
    for (let next = remaining.next(); !next.done && !failures.length; next = remaining.next())
      await run(next.value).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length) throw failures[0]
}

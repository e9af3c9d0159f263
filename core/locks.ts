import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from '#core/redis.ts'

/**
 * Waits for the lock of `key`, and runs `run` while it holds this lock. Callers in one process get the lock
 * in the order in which they ask. Locks of different keys are independent.
 */
export type RunWithLock = <T>(key: string, run: () => Promise<T>) => Promise<T>

/** Creates the function that runs tasks while it holds locks which only this process uses. */
export function createRunWithLocalLock(): RunWithLock {
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
 * The time in ms after which the lock of a dead process expires. A caller also waits this long for a lock at
 * most, and then runs without it.
 */
const LOCK_TIMEOUT = 10_000

const ACQUIRE = "return redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2])"
const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"

/**
 * Creates the function that runs tasks while it holds locks which all processes on this Redis share. A lock
 * is released only after `flushed` has resolved, so that the events of one holder reach the other processes
 * before those of the next holder. The locks only keep this order: the database guarantees consistency. While
 * Redis is unavailable, each process uses only locks of its own.
 */
export function createRunWithRedisLock(redis: Redis, flushed: () => Promise<unknown>): RunWithLock {
  const withLocalLock = createRunWithLocalLock()
  return <T>(key: string, run: () => Promise<T>) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const runAndRelease = async () => {
      const lock = `${redis.keyPrefix}:lock:${key}`
      const token = randomUUID()
      await acquire(redis, lock, token)
      // Gives the caller the result before the events have reached the other processes. Only the next
      // holder of the lock has to wait for the events.
      await run().then(resolve, reject)
      await flushed()
      // Ignores an error of the release, because the lock expires by itself.
      redis.runScript(RELEASE, lock, token).catch(() => {})
    }
    withLocalLock(key, runAndRelease).catch(reject)
    return promise
  }
}

async function acquire(redis: Redis, lock: string, token: string) {
  const isAcquired = () => redis.runScript(ACQUIRE, lock, token, String(LOCK_TIMEOUT)).catch(() => 'away')
  for (const deadline = Date.now() + LOCK_TIMEOUT; !(await isAcquired()) && Date.now() < deadline; )
    await sleep(1 + Math.random() * 8)
}

/**
 * Runs `run` for every item, at most `limit` at a time. After a failure it starts no more items. It throws
 * the failure when the running items have ended, so that the caller may delete what they wrote.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  limit: number,
  run: (item: T) => Promise<void>,
) {
  const remaining = items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async () => {
    for (let next = remaining.next(); !next.done && !failures.length; next = remaining.next())
      await run(next.value).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length) throw failures[0]
}

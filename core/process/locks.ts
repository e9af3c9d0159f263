import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from './redis.ts'

/**
 * Waits for the lock of `key`, and runs `run` while it holds this lock. Callers in one process get the lock
 * in the order in which they ask. Locks of different keys are independent.
 */
export type RunWithLock = <T>(key: string, run: () => Promise<T>) => Promise<T>

export function createLocalLock(): RunWithLock {
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
 * The time in ms after which a process gives a lock to another process, if it can. Until then, it passes the
 * lock on to its own callers without asking Redis.
 */
const MAX_HOLD = 200
/** The longest pause in ms between two attempts to get a lock that another process holds. */
const RETRY_PAUSE = 9

interface HeldRedisLock {
  key: string
  token: string
  /** The time when this process asked for the lock, by `performance.now()`. */
  since: number
}

/**
 * Creates the function that runs tasks while it holds locks which all processes on this Redis share. A lock
 * is released only after `flushed` has resolved, so that the events of this process reach the other processes
 * before those of the next holder. The locks only keep this order: the database guarantees consistency. While
 * Redis is unavailable, each process uses only locks of its own.
 */
export function createRedisLock(redis: Redis, flushed: () => Promise<unknown>): RunWithLock {
  const withLocalLock = createLocalLock()
  /** For each lock, the number of callers in this process that hold it or wait for it. */
  const callers = new Map<string, number>()
  /** The locks that a caller has passed on to the next caller in this process. */
  const passedOn = new Map<string, HeldRedisLock>()

  function takePassedOn(key: string) {
    const lock = passedOn.get(key)
    passedOn.delete(key)
    return lock
  }

  /** Passes a lock on to the next caller in this process, or releases it for other processes. */
  async function passOnOrRelease(key: string, lock: HeldRedisLock) {
    const mayPassOn = () => callers.get(key)! > 1 && performance.now() - lock.since < MAX_HOLD
    if (!mayPassOn()) await flushed()
    // Asks again, because a caller may have come meanwhile.
    const isPassedOn = mayPassOn()
    if (isPassedOn) passedOn.set(key, lock)
    // Ignores an error of the release, because the lock expires by itself.
    else redis.runScript(RELEASE, lock.key, lock.token).catch(() => {})
    const others = callers.get(key)! - 1
    if (others) callers.set(key, others)
    else callers.delete(key)
    // Lets other processes try to get the lock before the next caller in this process does.
    if (others && !isPassedOn) await sleep(RETRY_PAUSE + 1)
  }

  return <T>(key: string, run: () => Promise<T>) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    callers.set(key, (callers.get(key) ?? 0) + 1)
    withLocalLock(key, async () => {
      const lock = takePassedOn(key) ?? (await acquire(redis, `${redis.keyPrefix}:lock:${key}`))
      // Gives the caller the result before the events have reached the other processes. Only the next holder
      // in another process has to wait for the events.
      await Promise.try(run).then(resolve, reject)
      await passOnOrRelease(key, lock)
    }).catch(reject)
    return promise
  }
}

async function acquire(redis: Redis, key: string): Promise<HeldRedisLock> {
  const token = randomUUID()
  const tryOnce = () => redis.runScript(ACQUIRE, key, token, String(LOCK_TIMEOUT)).catch(() => 'away')
  const deadline = performance.now() + LOCK_TIMEOUT
  for (;;) {
    const since = performance.now()
    if ((await tryOnce()) || performance.now() >= deadline) return { key, token, since }
    await sleep(1 + Math.random() * (RETRY_PAUSE - 1))
  }
}

/**
 * Runs `run` for every item, at most `limit` at a time. After a failure it starts no more items. It throws
 * the failure when the running items have ended, so that the caller may delete what they wrote.
 */
export async function eachConcurrently<T>(
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

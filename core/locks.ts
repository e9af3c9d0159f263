import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from '#core/redis.ts'

/** Runs at most `most` of the works at once, the others in their order; `waiting` says how many those are. */
export function limitConcurrency(most: number) {
  let running = 0
  const queue: (() => void)[] = []
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running === most) await new Promise<void>((resolve) => queue.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
  return Object.assign(run, { waiting: () => queue.length })
}

/** Works of one key follow each other in their order; those of different keys do not wait for each other. */
export type WithLock = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createLocks(): WithLock {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    const forget = () => last.get(key) === mine && last.delete(key)
    mine.then(forget, forget)
    return mine
  }
}

/** Milliseconds: how long a turn may be, should its process die, and how long one waits for it. */
const LONGEST = 10_000

const TAKE = "return redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2])"
const GIVE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"

/** As `inTurns`, in all processes; a turn is over once `told` has resolved. Turns are about order alone: while Redis is away, each process keeps its own. */
export function createSharedLocks(redis: Redis, told: () => Promise<unknown>): WithLock {
  const inTurn = createLocks()
  return (key, work) =>
    inTurn(key, async () => {
      const place = `${redis.name}:turn:${key}`
      const token = randomUUID()
      await takeTurn(redis, place, token)
      try {
        return await work()
      } finally {
        await told() // in a cluster the end of the turn would else overtake what was said in it
        redis.run(GIVE, place, token).catch(() => {}) // it ends by itself
      }
    })
}

async function takeTurn(redis: Redis, place: string, token: string) {
  const take = () => redis.run(TAKE, place, token, String(LONGEST)).catch(() => 'away')
  for (const deadline = Date.now() + LONGEST; !(await take()) && Date.now() < deadline; )
    await sleep(1 + Math.random() * 8)
}

/** Works on all items, at most `most` at once. After a failure no more are begun; it is thrown when those under way are over. */
export async function forEachLimit<T>(items: Iterable<T>, most: number, work: (item: T) => Promise<void>) {
  const left = items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async () => {
    for (let next = left.next(); !next.done && !failures.length; next = left.next())
      await work(next.value).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: most }, worker))
  if (failures.length) throw failures[0]
}

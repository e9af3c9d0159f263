import QuickLRU from 'quick-lru'
import type { Database, TableDependency } from '#core/database/database.ts'

/** Returns the cached result of `key`, or reads it now. Callers that ask at one time share one reading. */
export type QueryCache<V> = (key: string, read: () => Promise<V>) => Promise<V>

/**
 * Makes a cache of at most `maxSize` entries, for readings of the tables that `dependencies` names. quick-lru
 * gets `maxSize / 2`, because it keeps up to twice its `maxSize`.
 */
export type QueryCaches = <V>(dependencies: readonly TableDependency[], maxSize: number) => QueryCache<V>

export const createQueryCaches =
  ({ changes }: Pick<Database, 'changes'>): QueryCaches =>
  (dependencies, maxSize) =>
    changes ? cacheUntilChange(() => changes(dependencies), maxSize) : shareWithinTurn()

/** Caches readings until a dependency changes, which SQLite reports. Then it drops all entries. */
function cacheUntilChange<V>(changeCount: () => number, maxSize: number): QueryCache<V> {
  const entries = new QuickLRU<string, Promise<V>>({ maxSize: maxSize / 2 })
  let state: number | undefined
  return (key, read) => {
    const now = changeCount()
    if (now !== state) entries.clear()
    state = now
    const known = entries.get(key)
    if (known) return known
    const reading = read()
    entries.set(key, reading)
    // A failed reading is not kept: the next caller tries again.
    reading.catch(() => entries.get(key) === reading && entries.delete(key))
    return reading
  }
}

/**
 * Caches nothing after a reading, because PostgreSQL does not report changes. But callers of one turn of the
 * event loop share a reading that begins when the turn ends: after every write that was acknowledged before
 * one of them asked.
 */
function shareWithinTurn<V>(): QueryCache<V> {
  let turn: { end: Promise<void>; readings: Map<string, Promise<V>> } | null = null
  const begin = () => {
    const end = new Promise<void>((resolve) =>
      setImmediate(() => {
        turn = null
        resolve()
      }),
    )
    return { end, readings: new Map<string, Promise<V>>() }
  }
  return (key, read) => {
    turn ??= begin()
    const known = turn.readings.get(key)
    if (known) return known
    const reading = turn.end.then(read)
    turn.readings.set(key, reading)
    return reading
  }
}

/**
 * Keeps the results of a pure function for at most `maxSize` recently used keys. quick-lru gets
 * `maxSize / 2`, because it keeps up to twice its `maxSize`.
 */
export function memoize<V>(maxSize: number, compute: (key: string) => V) {
  const results = new QuickLRU<string, { value: V }>({ maxSize: maxSize / 2 })
  return (key: string) => {
    const known = results.get(key)
    if (known) return known.value
    const value = compute(key)
    results.set(key, { value })
    return value
  }
}

import QuickLRU from 'quick-lru'
import type { CacheDependency, OpenedDatabase } from '#core/database/database.ts'

/** Returns the cached result of `key`. If there is none, calls `read`. Concurrent callers share one read. */
export type ReadWithQueryCache<V> = (key: string, read: () => Promise<V>) => Promise<V>

/**
 * Makes a cache of at most `maxSize` query results. After a change of one of `dependencies`, the cache
 * drops all of its results. On PostgreSQL it keeps no results (see `sharePerTurn`).
 */
export type QueryCacheFactory = <V>(
  dependencies: readonly CacheDependency[],
  maxSize: number,
) => ReadWithQueryCache<V>

export const createQueryCacheFactory =
  ({ changeCount }: Pick<OpenedDatabase, 'changeCount'>): QueryCacheFactory =>
  (dependencies, maxSize) =>
    changeCount ? cacheUntilChange(() => changeCount(dependencies), maxSize) : sharePerTurn()

/**
 * Makes a cache for SQLite, which counts the changes of each table. If a dependency has changed since the
 * last call, the cache drops all entries.
 */
function cacheUntilChange<V>(changeCount: () => number, maxSize: number): ReadWithQueryCache<V> {
  // Passes half of `maxSize`, because quick-lru keeps up to twice its `maxSize`.
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
    // A failed read is removed from the cache, so that the next caller tries again.
    reading.catch(() => entries.get(key) === reading && entries.delete(key))
    return reading
  }
}

/**
 * Makes a cache for PostgreSQL. It keeps no results, because PostgreSQL does not report changes. But callers
 * in one turn of the event loop share a read. The read begins when the turn ends, so each caller sees every
 * write that was acknowledged before the call.
 */
function sharePerTurn<V>(): ReadWithQueryCache<V> {
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

/** Returns a function that calls `compute`, and keeps the results of at most `maxSize` recently used keys. */
export function memoizeByStringKey<V>(maxSize: number, compute: (key: string) => V) {
  // Passes half of `maxSize`, because quick-lru keeps up to twice its `maxSize`.
  const results = new QuickLRU<string, { value: V }>({ maxSize: maxSize / 2 })
  return (key: string) => {
    const known = results.get(key)
    if (known) return known.value
    const value = compute(key)
    results.set(key, { value })
    return value
  }
}

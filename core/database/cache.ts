import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import type { CacheDependency, OpenedDatabase } from '#core/database/database.ts'
import type { CacheCounts, ReadTableVersions, TableVersions } from '#core/database/table-versions.ts'

/** Returns the cached result of `key`. If there is none, calls `read`. Concurrent callers share one read. */
export type ReadCached<V> = (key: string, read: () => Promise<V>) => Promise<V>

/**
 * Makes a cache of at most `maxSize` query results. After a change of one of `dependencies`, the cache drops
 * all of its results. On PostgreSQL without Redis it keeps no results (see `sharePerTurn`).
 */
export type CacheFactory = <V>(dependencies: readonly CacheDependency[], maxSize: number) => ReadCached<V>

export const createCaches =
  ({ changeCount }: Pick<OpenedDatabase, 'changeCount'>, versions?: TableVersions): CacheFactory =>
  (dependencies, maxSize) => {
    if (changeCount) return cacheUntilChange(() => changeCount(dependencies), maxSize)
    if (!versions) return sharePerTurn()
    return cacheUntilNewVersion(versions.watch(dependencies), maxSize, versions.cacheCounts)
  }

/**
 * Makes a cache for SQLite, which counts the changes of each table. If a dependency has changed since the
 * last call, the cache drops all entries.
 */
function cacheUntilChange<V>(changeCount: () => number, maxSize: number): ReadCached<V> {
  const entries = new LRUCache<string, Promise<V>>({ max: maxSize })
  let state: number | undefined
  return (key, read) => {
    const now = changeCount()
    if (now !== state) entries.clear()
    state = now
    const known = entries.get(key)
    if (known) return known
    const reading = read()
    entries.set(key, reading)
    // Removes a failed read from the cache, so that the next caller tries again.
    reading.catch(() => entries.get(key) === reading && entries.delete(key))
    return reading
  }
}

/**
 * The maximum age of a cached result on PostgreSQL, in ms. It limits for how long an old result is returned
 * if a process was killed, or lost Redis, after its commit, or if another program writes to the database.
 */
export const MAX_RESULT_AGE = 10_000

/**
 * Makes a cache for several processes on PostgreSQL. Each call asks for the versions of the dependencies, and
 * after a new version the cache drops all entries. The versions are read before the query, so a result that
 * is too old belongs to a version that is gone. If the versions cannot be known, only callers of the same turn
 * of the event loop share a result. A result older than MAX_RESULT_AGE is read again.
 */
function cacheUntilNewVersion<V>(
  readVersions: ReadTableVersions,
  maxSize: number,
  counts: CacheCounts,
): ReadCached<V> {
  const entries = new LRUCache<string, VersionedEntry<V>>({ max: maxSize })
  const readUncached = sharePerTurn<V>()
  let state: string | undefined
  return async (key, read) => {
    const now = await readVersions()
    if (now === null) {
      counts.unusable++
      return readUncached(key, read)
    }
    if (now !== state) entries.clear()
    state = now
    const known = entries.get(key)
    const begun = performance.now()
    if (known && begun - known.begun < MAX_RESULT_AGE) {
      counts.hits++
      return passAgeToOuterResult(known)
    }
    counts.misses++
    const age = { begun }
    const entry = Object.assign(age, { reading: outerResults.run(age, read) })
    entries.set(key, entry)
    entry.reading.catch(() => entries.get(key) === entry && entries.delete(key))
    return passAgeToOuterResult(entry)
  }
}

interface VersionedEntry<V> {
  reading: Promise<V>
  /** When the reading began, or that of the oldest cached result in it, by `performance.now()`. */
  begun: number
}

/** The cached result that the running code is reading. It may use results of other caches. */
const outerResults = new AsyncLocalStorage<{ begun: number }>()

/**
 * Returns the reading of a cached result. If another cached result is made from it, that one becomes as old
 * as this one. Otherwise the ages of caches inside of each other would add up.
 */
function passAgeToOuterResult<V>(entry: { reading: Promise<V>; begun: number }) {
  const outer = outerResults.getStore()
  if (!outer) return entry.reading
  return entry.reading.finally(() => {
    outer.begun = Math.min(outer.begun, entry.begun)
  })
}

/**
 * Makes a cache for PostgreSQL without Redis. It keeps no results, because PostgreSQL does not report
 * changes. But callers in one turn of the event loop share a read. The read begins when the turn ends, so
 * each caller sees every write that was acknowledged before the call.
 */
function sharePerTurn<V>(): ReadCached<V> {
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
export function memoize<V>(maxSize: number, compute: (key: string) => V) {
  const results = new LRUCache<string, { value: V }>({ max: maxSize })
  return (key: string) => {
    const known = results.get(key)
    if (known) return known.value
    const value = compute(key)
    results.set(key, { value })
    return value
  }
}

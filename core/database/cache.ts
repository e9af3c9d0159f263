import { AsyncLocalStorage } from 'node:async_hooks'
import QuickLRU from 'quick-lru'
import type { OpenedDatabase, QueryCacheDependency } from '#core/database/database.ts'
import type {
  QueryCacheCounts,
  ReadCacheDependencyVersions,
  ReadCacheDependencyVersionsOfMember,
  RedisTableVersions,
} from '#core/database/table-versions.ts'

/** Returns the cached result of `key`. If there is none, calls `read`. Concurrent callers share one read. */
export type ReadWithQueryCache<V> = (key: string, read: () => Promise<V>) => Promise<V>

/**
 * Reads the values of several keys with one query, and resolves to a map. A key without a value is not in the
 * map.
 */
export type ReadRowMapForKeys<K, V> = (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>

/** Returns the cached result for a member. If there is none, calls `read`. */
export type ReadWithMemberCache<V> = (member: number, read: () => Promise<V>) => Promise<V>

/** Makes caches of query results. A cache drops its results when the tables on which it depends change. */
export interface QueryCacheFactory {
  /**
   * Makes a cache of at most `maxSize` query results. After a change of one of `dependencies`, the cache
   * drops all of its results. On PostgreSQL without Redis it keeps no results (see `sharePerTurn`).
   */
  <V>(dependencies: readonly QueryCacheDependency[], maxSize: number): ReadWithQueryCache<V>
  /**
   * Makes a cache of the values that `readRows` finds for keys. The cache drops all values after a change of
   * one of `dependencies`. Calls in one turn of the event loop share a query for the keys that are not in the
   * cache. The returned map may have further keys.
   */
  ofRows<K, V>(
    dependencies: readonly QueryCacheDependency[],
    maxSize: number,
    readRows: ReadRowMapForKeys<K, V>,
  ): ReadRowMapForKeys<K, V>
  /**
   * Makes a cache of one query result for each of at most `maxSize` members. A result is dropped after a
   * change of one of `dependencies`, and after those changes of `tables` that may concern the member: on
   * PostgreSQL, a statement of `Tx.forRowsOfMember` concerns only its own member.
   */
  ofMembers<V>(
    dependencies: readonly QueryCacheDependency[],
    tables: readonly QueryCacheDependency[],
    maxSize: number,
  ): ReadWithMemberCache<V>
  /** Whether the caches keep results. On PostgreSQL without Redis they do not. */
  keepsResults: boolean
}

export function createQueryCacheFactory(
  { changeCount }: Pick<OpenedDatabase, 'changeCount'>,
  versions?: RedisTableVersions,
): QueryCacheFactory {
  const ofResults = <V>(
    dependencies: readonly QueryCacheDependency[],
    maxSize: number,
  ): ReadWithQueryCache<V> => {
    if (changeCount) return cacheUntilChange(() => changeCount(dependencies), maxSize)
    if (!versions) return sharePerTurn()
    return cacheUntilNewVersion(versions.watch(dependencies), maxSize, versions.cacheCounts)
  }
  const ofRows: QueryCacheFactory['ofRows'] = (dependencies, maxSize, readRows) => {
    if (changeCount) return cacheRowsUntilChange(() => changeCount(dependencies), maxSize, readRows)
    if (!versions) return batchRowMapReadsPerEventLoopTurn(readRows)
    return cacheRowsUntilChange(versions.watch(dependencies), maxSize, readRows)
  }
  const ofMembers = <V>(
    dependencies: readonly QueryCacheDependency[],
    tables: readonly QueryCacheDependency[],
    maxSize: number,
  ): ReadWithMemberCache<V> => {
    if (changeCount || !versions) {
      const results = ofResults<V>([...dependencies, ...tables], maxSize)
      return (member, read) => results(String(member), read)
    }
    return cacheOfMembersUntilNewVersion(
      versions.watchMembers(dependencies, tables),
      maxSize,
      versions.cacheCounts,
    )
  }
  return Object.assign(ofResults, {
    ofRows,
    ofMembers,
    keepsResults: changeCount !== undefined || versions !== undefined,
  })
}

/**
 * Makes a cache for SQLite, which counts the changes of each table. If a dependency has changed since the
 * last call, the cache drops all entries.
 */
function cacheUntilChange<V>(changeCount: () => number, maxSize: number): ReadWithQueryCache<V> {
  // Passes half of `maxSize` to quick-lru, because it keeps up to twice as many results as it is told.
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
    // Removes a failed read from the cache, so that the next caller tries again.
    reading.catch(() => entries.get(key) === reading && entries.delete(key))
    return reading
  }
}

/**
 * The maximum age of a cached result on PostgreSQL, in ms. It limits for how long an old result is returned
 * if a process was killed, or lost Redis, after its commit, or if another program writes to the database.
 */
export const MAX_CACHED_QUERY_RESULT_AGE = 10_000

/**
 * Makes a cache for several processes on PostgreSQL. Each call asks for the versions of the dependencies, and
 * after a new version the cache drops all entries. The versions are read before the query, so a result that
 * is too old belongs to a version that is gone. If the versions cannot be known, the cache is not used.
 */
function cacheUntilNewVersion<V>(
  readVersions: ReadCacheDependencyVersions,
  maxSize: number,
  counts: QueryCacheCounts,
): ReadWithQueryCache<V> {
  const results = createVersionedResults<V>(maxSize, counts)
  return async (key, read) => {
    const state = await readVersions()
    return results(key, read, state === null ? null : { state, own: '' })
  }
}

/**
 * Makes a cache for the results of members, in the same way as `cacheUntilNewVersion`. Each result also
 * depends on a version of its member.
 */
function cacheOfMembersUntilNewVersion<V>(
  readVersions: ReadCacheDependencyVersionsOfMember,
  maxSize: number,
  counts: QueryCacheCounts,
): ReadWithMemberCache<V> {
  const results = createVersionedResults<V>(maxSize, counts)
  return async (member, read) => results(String(member), read, await readVersions(member))
}

/**
 * Creates a function that returns the cached result of a key if it was read at the same versions as now, and
 * otherwise calls `read`. `state` is the version of all results, and `own` the version of this key. Without
 * versions (`now` is null), only callers of the same turn of the event loop share a result. A result older than
 * MAX_CACHED_QUERY_RESULT_AGE is read again.
 */
function createVersionedResults<V>(maxSize: number, counts: QueryCacheCounts) {
  const entries = new QuickLRU<string, VersionedEntry<V>>({ maxSize: maxSize / 2 })
  const readUncached = sharePerTurn<V>()
  let state: string | undefined
  return (key: string, read: () => Promise<V>, now: { state: string; own: string } | null) => {
    if (now === null) {
      counts.unusable++
      return readUncached(key, read)
    }
    if (now.state !== state) entries.clear()
    state = now.state
    const known = entries.get(key)
    const begun = performance.now()
    if (known?.own === now.own && begun - known.begun < MAX_CACHED_QUERY_RESULT_AGE) {
      counts.hits++
      return passAgeToOuterResult(known)
    }
    counts.misses++
    const age = { begun }
    const entry = Object.assign(age, { reading: outerResults.run(age, read), own: now.own })
    entries.set(key, entry)
    entry.reading.catch(() => entries.get(key) === entry && entries.delete(key))
    return passAgeToOuterResult(entry)
  }
}

interface VersionedEntry<V> {
  reading: Promise<V>
  /** When the reading began, or that of the oldest cached result in it, by `performance.now()`. */
  begun: number
  own: string
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

/**
 * Makes a cache of rows by their keys. `readState` returns a value that changes with the dependencies; null
 * if it cannot be known, and then the cache is not used. The state is read before the query, so a row that is
 * too old belongs to a state that is gone.
 */
function cacheRowsUntilChange<K, V>(
  readState: () => number | Promise<string | null>,
  maxSize: number,
  readRows: ReadRowMapForKeys<K, V>,
): ReadRowMapForKeys<K, V> {
  const readMissing = batchRowMapReadsPerEventLoopTurn(readRows)
  const begin = (state: unknown) => ({
    state,
    begun: performance.now(),
    rows: new Map<K, V>(),
    readings: new Map<K, Promise<unknown>>(),
  })
  let current = begin(null)

  function read({ rows, readings }: typeof current, keys: readonly K[]) {
    const missing = keys.filter((key) => !readings.has(key))
    if (!missing.length) return
    const reading = readMissing(missing).then((found) => {
      for (const key of missing) if (found.has(key)) rows.set(key, found.get(key)!)
    })
    for (const key of missing) readings.set(key, reading)
    // Removes a failed read from the cache, so that the next caller tries again.
    reading.catch(() => {
      for (const key of missing) readings.delete(key)
    })
  }

  return async (keys) => {
    const state = await readState()
    if (state === null) return readMissing(keys)
    const isTooOld =
      typeof state === 'string' && performance.now() - current.begun >= MAX_CACHED_QUERY_RESULT_AGE
    if (state !== current.state || isTooOld || current.readings.size > maxSize) current = begin(state)
    const { rows, readings, begun } = current
    const outer = outerResults.getStore()
    if (outer) outer.begun = Math.min(outer.begun, begun)
    if (keys.every((key) => rows.has(key))) return rows
    read(current, keys)
    await Promise.all(new Set(keys.map((key) => readings.get(key))))
    return rows
  }
}

/**
 * Makes a function that reads the rows of all calls of one turn of the event loop with one query. The query
 * begins when the turn ends, so each caller sees every write that was acknowledged before the call.
 */
export function batchRowMapReadsPerEventLoopTurn<K, V>(
  readRows: ReadRowMapForKeys<K, V>,
): ReadRowMapForKeys<K, V> {
  let turn: { keys: Set<K>; rows: Promise<ReadonlyMap<K, V>> } | null = null
  function begin() {
    const keys = new Set<K>()
    const end = new Promise<void>((resolve) =>
      setImmediate(() => {
        turn = null
        resolve()
      }),
    )
    return { keys, rows: end.then(() => readRows([...keys])) }
  }
  return async (asked) => {
    if (!asked.length) return new Map()
    turn ??= begin()
    for (const key of asked) turn.keys.add(key)
    return turn.rows
  }
}

/** Returns a function that calls `compute`, and keeps the results of at most `maxSize` recently used keys. */
export function memoizeByStringKey<V>(maxSize: number, compute: (key: string) => V) {
  // Passes half of `maxSize` to quick-lru, because it keeps up to twice as many results as it is told.
  const results = new QuickLRU<string, { value: V }>({ maxSize: maxSize / 2 })
  return (key: string) => {
    const known = results.get(key)
    if (known) return known.value
    const value = compute(key)
    results.set(key, { value })
    return value
  }
}

import QuickLRU from 'quick-lru'
import type { Database, TableDependency } from '#core/database/database.ts'

export interface CacheEntries<K, V> {
  has(key: K): boolean
  get(key: K): V | undefined
  set(key: K, value: V): unknown
  delete(key: K): boolean
}

/**
 * Returns the entries that are still valid. Call it before the queries of a result, and store the result in
 * what it returned: a change that comes between the two then drops these entries, and the result with them.
 */
export type QueryCache<K, V> = () => CacheEntries<K, V>

export type QueryCaches = ReturnType<typeof createQueryCaches>

/**
 * Creates caches of at most `maxEntries` results. A cache is emptied when a table of `dependencies`, from
 * which its results were read, changes. PostgreSQL cannot tell what has changed, so nothing is cached there.
 */
export const createQueryCaches =
  ({ changes }: Pick<Database, 'changes'>) =>
  <K, V>(dependencies: readonly TableDependency[], maxEntries: number): QueryCache<K, V> => {
    if (!changes) return () => new Map()
    let entries = createLru<K, V>(maxEntries)
    let version = changes(dependencies)
    return () => {
      const current = changes(dependencies)
      if (current !== version) entries = createLru(maxEntries)
      version = current
      return entries
    }
  }

/**
 * Keeps the results of `compute`, which never change and are not undefined, for at most `maxEntries` keys.
 */
export function memoize<V>(maxEntries: number, compute: (key: string) => V) {
  const results = createLru<string, V>(maxEntries)
  return (key: string) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const result = compute(key)
    results.set(key, result)
    return result
  }
}

/** Drops entries that were not used for long. QuickLRU keeps two generations of `maxSize` entries. */
const createLru = <K, V>(maxEntries: number) => new QuickLRU<K, V>({ maxSize: maxEntries / 2 })

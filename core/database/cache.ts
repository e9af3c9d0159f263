import type { Database, TableDependency } from '#core/database/database.ts'

/** What may be used of what was kept: nothing, as soon as something that it was made from may have changed. What is made is kept in the one that was got before reading. */
export type QueryCache<K, V> = () => CacheEntries<K, V>
export type CacheEntries<K, V> = Pick<Latest<K, V>, 'has' | 'get' | 'set' | 'delete'>
/** `watched` names all that is read to make it; of more than `most`, those go that were long unused. */
export type QueryCaches = <K, V>(watched: readonly TableDependency[], most: number) => QueryCache<K, V>

/** Where the database cannot tell what has changed, nothing lasts. */
export const createQueryCaches =
  ({ changes }: Database): QueryCaches =>
  <K, V>(watched: readonly TableDependency[], most: number): QueryCache<K, V> => {
    let kept = new Latest<K, V>(most)
    let state: number | undefined
    return () => {
      const now = changes?.(watched)
      if (now === undefined || now !== state) kept = new Latest<K, V>(most)
      state = now
      return kept
    }
  }

/** At most so many entries, in two generations: when the younger is half of them, what nobody has asked for since it was the elder goes. */
class Latest<K, V> {
  private readonly most: number
  private young = new Map<K, V>()
  private old = new Map<K, V>()
  constructor(most: number) {
    this.most = most
  }
  has(key: K) {
    return this.young.has(key) || this.old.has(key)
  }
  get(key: K) {
    const value = this.young.get(key)
    if (value !== undefined) return value
    const before = this.old.get(key)
    if (before !== undefined) this.set(key, before)
    return before
  }
  set(key: K, value: V) {
    this.young.set(key, value)
    if (this.young.size < this.most / 2) return
    this.old = this.young
    this.young = new Map()
  }
  delete(key: K) {
    this.young.delete(key)
    this.old.delete(key)
  }
}

/** `work`, whose results never change, done once for each of at most `most` keys that were used lately. */
export function memoize<V>(most: number, work: (key: string) => V) {
  const kept = new Latest<string, V>(most)
  return (key: string) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = work(key)
    kept.set(key, made)
    return made
  }
}

import type { Database, Watched } from '#core/database.ts'

/** What may be used of what was kept: nothing, as soon as something that it was made from may have changed. Kept into the map that was got before reading. */
export type Memo<K, V> = () => Map<K, V>
/** `watched` names all that is read to make it; of more than `most`, those go that were longest unused. */
export type OpenMemo = <K, V>(watched: readonly Watched[], most: number) => Memo<K, V>

/** Where the database cannot tell what has changed, nothing lasts. */
export const memos =
  ({ changes }: Database): OpenMemo =>
  <K, V>(watched: readonly Watched[], most: number): Memo<K, V> => {
    let kept = new Latest<K, V>(most)
    let state: number | undefined
    return () => {
      const now = changes?.(watched)
      if (now === undefined || now !== state) kept = new Latest<K, V>(most)
      state = now
      return kept
    }
  }

class Latest<K, V> extends Map<K, V> {
  private readonly most: number
  constructor(most: number) {
    super()
    this.most = most
  }
  override get(key: K) {
    const value = super.get(key)
    if (value !== undefined) this.set(key, value) // the map is in the order of use
    return value
  }
  override set(key: K, value: V) {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.most) this.delete(this.keys().next().value!)
    return this
  }
}

/** `work`, whose results never change, done once for each of the `most` keys that were used last. */
export function keeping<V>(most: number, work: (key: string) => V) {
  const kept = new Latest<string, V>(most)
  return (key: string) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = work(key)
    kept.set(key, made)
    return made
  }
}

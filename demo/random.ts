/**
 * A generator of random numbers, which starts from a seed. The same seed gives the same numbers on every
 * machine.
 */
export interface SeededRandom {
  /** Returns a random number from `low` (default 0) up to but not including `high` (default 1). */
  (low?: number, high?: number): number
  pick<T>(list: readonly T[]): T
  /** Returns `count` different items of a list in random order. */
  some<T>(list: readonly T[], count: number): T[]
}

export function createRandom(seed: string): SeededRandom {
  const next = mulberry32(hash(seed))
  const between = (low = 0, high = 1) => low + next() * (high - low)
  return Object.assign(between, {
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
    some: <T>(list: readonly T[], count: number) => {
      const rest = [...list]
      return Array.from(
        { length: Math.min(count, rest.length) },
        () => rest.splice(Math.floor(next() * rest.length), 1)[0] as T,
      )
    },
  })
}

/** Returns the FNV-1a hash of a text, which is the seed of the random numbers. */
function hash(text: string) {
  let hash = 2166136261
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619)
  return hash
}

function mulberry32(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

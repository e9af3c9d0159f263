/** Random numbers from 0 up to but not including 1 (mulberry32), the same for the same seed. */
export function seededRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number below `n`. A fifth of the results are in the first hundredth. */
export const pickSkewed = (random: () => number, n: number) => Math.floor(n * random() ** 3)

/** Different whole numbers below `n`, in steps of a prime from a random beginning. */
export function* distinctNumbers(random: () => number, count: number, n: number) {
  const stride = [7919, 104_729, 611_953, 15_485_863].find((prime) => n % prime !== 0)!
  let at = Math.floor(random() * n)
  for (let left = Math.min(count, n); left > 0; left--) {
    yield at
    at = (at + stride) % n
  }
}

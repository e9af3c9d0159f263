import type { FastifyRateLimitStore } from '@fastify/rate-limit'

interface Window {
  tries: number
  ends: number
}
/** Whoever comes after so many others is counted anew. */
const MOST = 5000

/** Counts tries by a clock that cannot be set: with that of the library, a clock put back by two days shuts out for two days whoever was counted. */
export class Windows implements FastifyRateLimitStore {
  private readonly windows = new Map<string, Window>()

  incr(
    key: string,
    done: (error: Error | null, result?: { current: number; ttl: number }) => void,
    ms: number,
  ) {
    const now = performance.now()
    const known = this.windows.get(key)
    const window = known && known.ends > now ? known : { tries: 0, ends: now + ms }
    window.tries++
    this.windows.delete(key) // the map is in the order of the last tries
    this.windows.set(key, window)
    if (this.windows.size > MOST) this.windows.delete(this.windows.keys().next().value!)
    done(null, { current: window.tries, ttl: Math.ceil(window.ends - now) })
  }

  child() {
    return new Windows()
  }
}

import type { Config } from '#core/config.ts'

/** The capacity of a token bucket, and how many tokens it regains per second. */
interface BucketLimits {
  capacity: number
  refillPerSecond: number
}

const KB = 1024
const MB = 1024 * KB

/**
 * Limits for a member and for the network of an IP address, over all their connections to all processes. A
 * school or an office may share one address, so an address has several times the limit of a member.
 */
const LIMITS = {
  /**
   * The limits for new connections. Only the limit of the address is used, because the member is not known
   * yet.
   */
  connections: {
    member: { capacity: 1000, refillPerSecond: 20 },
    address: { capacity: 1000, refillPerSecond: 20 },
  },
  /**
   * The limits for frames of WebSockets: messages, fragments, pings, pongs. A read without a new frame counts
   * as one.
   */
  frames: {
    member: { capacity: 2000, refillPerSecond: 200 },
    address: { capacity: 20_000, refillPerSecond: 2000 },
  },
  /** The limits for the bytes that clients send, with the headers of the frames. */
  bytes: {
    member: { capacity: 4 * MB, refillPerSecond: 256 * KB },
    address: { capacity: 32 * MB, refillPerSecond: 2 * MB },
  },
  subscriptions: {
    member: { capacity: 800, refillPerSecond: 20 },
    address: { capacity: 8000, refillPerSecond: 200 },
  },
  /** The limits for the bytes of member lists in answers to subscriptions. */
  lists: {
    member: { capacity: 16 * MB, refillPerSecond: 512 * KB },
    address: { capacity: 128 * MB, refillPerSecond: 4 * MB },
  },
  clientEvents: {
    member: { capacity: 40, refillPerSecond: 20 },
    address: { capacity: 400, refillPerSecond: 200 },
  },
  /**
   * The limits for the bytes of client events, multiplied by the estimated number of receivers in all
   * processes.
   */
  deliveries: {
    member: { capacity: 4 * MB, refillPerSecond: MB },
    address: { capacity: 16 * MB, refillPerSecond: 4 * MB },
  },
} as const satisfies Record<string, { member: BucketLimits; address: BucketLimits }>
type Kind = keyof typeof LIMITS

/** The maximum number of connections of a member to one process. */
const MAX_CONNECTIONS = 50
/** Milliseconds between two deletions of full buckets. */
const CLEANUP_INTERVAL = 60_000
/** Milliseconds between two reports of a process to the others. */
const REPORT_INTERVAL = 1000
/**
 * A process reports the tokens that it took from a bucket once they are this part of one second's refill.
 * Smaller amounts add up first, so that ordinary members cause no messages between processes.
 */
const REPORT_THRESHOLD = 1 / 4

/** A connection that takes tokens: the network of its IP address, and its user if the user is known. */
interface Consumer {
  readonly address: string
  readonly user: { readonly id: number } | null
}

/** The key of a token bucket, and the number of tokens that a process took from the bucket. */
export type BucketKeyAndSpentTokens = readonly [key: string, amount: number]

interface Bucket {
  limits: BucketLimits
  /**
   * The number of tokens that are left. It is below zero if several processes together took more than there
   * were.
   */
  tokens: number
  /** The time of the last refill, by `performance.now()`. */
  refilledAt: number
  /** The number of tokens that this process took and has not reported yet. */
  unreported: number
}

/**
 * Creates limits for the messages and connections of each member and address, however many sockets they use.
 * Each process decides at once with the numbers that it has. Every second it reports the tokens that it took
 * to the other processes (`report`), and they subtract them. Limits nothing with RATE_LIMIT=off.
 */
export function createRealtimeTokenBuckets(
  { RATE_LIMIT }: Pick<Config, 'RATE_LIMIT'>,
  report: (spending: readonly BucketKeyAndSpentTokens[]) => unknown,
) {
  const buckets = new Map<string, Bucket>()
  /** The keys of the buckets whose taken tokens are in the next report. */
  const toReport = new Set<string>()
  const timers = [
    setInterval(deleteFull, CLEANUP_INTERVAL).unref(),
    setInterval(sendReport, REPORT_INTERVAL).unref(),
  ]

  function deleteFull() {
    for (const [key, bucket] of buckets)
      if (!toReport.has(key) && refill(bucket).tokens === bucket.limits.capacity) buckets.delete(key)
  }

  function sendReport() {
    if (!toReport.size) return
    const spending = Array.from(toReport, (key) => {
      const bucket = buckets.get(key)!
      const { unreported } = bucket
      bucket.unreported = 0
      return [key, unreported] as const
    })
    toReport.clear()
    report(spending)
  }

  function refill(bucket: Bucket) {
    const { capacity, refillPerSecond } = bucket.limits
    const now = performance.now()
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.refilledAt) / 1000) * refillPerSecond)
    bucket.refilledAt = now
    return bucket
  }

  function bucketOf(key: string, limits: BucketLimits) {
    const bucket = buckets.get(key) ?? {
      limits,
      tokens: limits.capacity,
      refilledAt: performance.now(),
      unreported: 0,
    }
    buckets.set(key, bucket)
    return refill(bucket)
  }

  /** Finds or creates the bucket of a key. Returns undefined for a key that this version does not know. */
  function bucketByKey(key: string) {
    const [kind, owner] = key.split(' ', 2)
    const limits = LIMITS[kind as Kind]?.[owner as 'member' | 'address']
    return limits && bucketOf(key, limits)
  }

  return {
    /**
     * Takes `amount` tokens from the bucket of the connection's address and from that of its user, and
     * returns true. If one of them has too few, takes none and returns false.
     */
    consume(kind: Kind, { user, address }: Consumer, amount = 1) {
      if (!RATE_LIMIT) return true
      const keys: [string, BucketLimits][] = [[`${kind} address ${address}`, LIMITS[kind].address]]
      if (user) keys.push([`${kind} member ${user.id}`, LIMITS[kind].member])
      if (keys.some(([key, limits]) => bucketOf(key, limits).tokens < amount)) return false
      for (const [key] of keys) {
        const bucket = buckets.get(key)!
        bucket.tokens -= amount
        bucket.unreported += amount
        if (bucket.unreported >= bucket.limits.refillPerSecond * REPORT_THRESHOLD) toReport.add(key)
      }
      return true
    },
    /** Subtracts from the buckets the tokens that another process took. */
    addSpending(spending: readonly BucketKeyAndSpentTokens[]) {
      for (const [key, amount] of spending) {
        const bucket = bucketByKey(key)
        if (bucket) bucket.tokens -= amount
      }
    },
    /** Returns whether a member may have `count` connections to this process. */
    allowsConnections: (count: number) => !RATE_LIMIT || count <= MAX_CONNECTIONS,
    close() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
export type RealtimeTokenBuckets = ReturnType<typeof createRealtimeTokenBuckets>

import type { Config } from '#core/config.ts'

/** The capacity of a token bucket, and how many tokens it regains per second. */
interface BucketLimits {
  capacity: number
  refillPerSecond: number
}

const KB = 1024
const MB = 1024 * KB

/**
 * Limits for a member, and for the visitors of the network of an IP address, over all their connections to
 * all processes. A school or an office may share one address, so its visitors have several times the limit of
 * a member.
 */
const LIMITS = {
  /** The limits for new connections. */
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

/**
 * A connection that takes tokens: the network of its IP address, the member whose cookies came with it, and
 * the user to whom it is bound.
 */
interface Consumer {
  readonly address: string
  readonly member?: number | null
  readonly user: { readonly id: number } | null
}

/** The key of a token bucket, and the number of tokens that a process took from the bucket. */
export type BucketKeyAndSpentTokens = readonly [key: string, amount: number]

interface Bucket {
  /**
   * The text that names this bucket in the reports: the kind, `member` or `address`, and the id or network.
   */
  readonly key: string
  readonly limits: BucketLimits
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
  // Each kind has a map for members and a map for addresses, so that a bucket is found without building a
  // text as its key. Each read of a socket takes tokens from up to four buckets.
  const buckets = mapKinds(() => ({
    member: new Map<number, Bucket>(),
    address: new Map<string, Bucket>(),
  }))
  /** The buckets whose taken tokens are in the next report. */
  const toReport = new Set<Bucket>()
  const timers = [
    setInterval(deleteFull, CLEANUP_INTERVAL).unref(),
    setInterval(sendReport, REPORT_INTERVAL).unref(),
  ]

  function deleteFull() {
    for (const { member, address } of Object.values(buckets))
      for (const map of [member, address] as Map<unknown, Bucket>[])
        for (const [owner, bucket] of map)
          if (!toReport.has(bucket) && refill(bucket).tokens === bucket.limits.capacity) map.delete(owner)
  }

  function sendReport() {
    if (!toReport.size) return
    const spending = Array.from(toReport, (bucket) => {
      const { key, unreported } = bucket
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

  /** Finds or creates a bucket, and refills it. */
  function bucketOf(kind: Kind, type: 'member', owner: number): Bucket
  function bucketOf(kind: Kind, type: 'address', owner: string): Bucket
  function bucketOf(kind: Kind, type: 'member' | 'address', owner: number | string) {
    const map = buckets[kind][type] as Map<number | string, Bucket>
    const known = map.get(owner)
    if (known) return refill(known)
    const limits = LIMITS[kind][type]
    const key = `${kind} ${type} ${owner}`
    const bucket = { key, limits, tokens: limits.capacity, refilledAt: performance.now(), unreported: 0 }
    map.set(owner, bucket)
    return bucket
  }

  /** Finds or creates the bucket of a key. Returns undefined for a key that this version does not know. */
  function bucketByKey(key: string) {
    const [, kind, type, owner] = /^(\w+) (member|address) (.+)$/.exec(key) ?? []
    if (owner === undefined || !Object.hasOwn(LIMITS, kind!)) return undefined
    return type === 'member'
      ? bucketOf(kind as Kind, type, Number(owner))
      : bucketOf(kind as Kind, 'address', owner)
  }

  function take(bucket: Bucket, amount: number) {
    bucket.tokens -= amount
    bucket.unreported += amount
    if (bucket.unreported >= bucket.limits.refillPerSecond * REPORT_THRESHOLD) toReport.add(bucket)
  }

  return {
    /**
     * Takes `amount` tokens from the bucket of the connection's member or, for a visitor, from that of its
     * address, and returns true. If it has too few, takes none and returns false.
     */
    consume(kind: Kind, { user, member, address }: Consumer, amount = 1) {
      if (!RATE_LIMIT) return true
      const id = user?.id ?? member
      const bucket = id == null ? bucketOf(kind, 'address', address) : bucketOf(kind, 'member', id)
      if (bucket.tokens < amount) return false
      take(bucket, amount)
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

const mapKinds = <T>(create: () => T) =>
  Object.fromEntries(Object.keys(LIMITS).map((kind) => [kind, create()])) as Record<Kind, T>

export type RealtimeTokenBuckets = ReturnType<typeof createRealtimeTokenBuckets>

import type { Config } from '#core/config.ts'

interface BucketLimits {
  capacity: number
  refillPerSecond: number
}

const KB = 1024
const MB = 1024 * KB

/** In each process. Visitors who share a school's address have more than a member. */
const LIMITS = {
  connections: {
    member: { capacity: 1000, refillPerSecond: 20 },
    address: { capacity: 1000, refillPerSecond: 20 },
  },
  /** Messages, fragments, pings, pongs. A read without a new frame counts as one. */
  frames: {
    member: { capacity: 2000, refillPerSecond: 200 },
    address: { capacity: 20_000, refillPerSecond: 2000 },
  },
  /** With the headers of the frames. */
  bytes: {
    member: { capacity: 4 * MB, refillPerSecond: 256 * KB },
    address: { capacity: 32 * MB, refillPerSecond: 2 * MB },
  },
  subscriptions: {
    member: { capacity: 800, refillPerSecond: 20 },
    address: { capacity: 8000, refillPerSecond: 200 },
  },
  /** Bytes of member lists in answers to subscriptions. */
  lists: {
    member: { capacity: 16 * MB, refillPerSecond: 512 * KB },
    address: { capacity: 128 * MB, refillPerSecond: 4 * MB },
  },
  clientEvents: {
    member: { capacity: 40, refillPerSecond: 20 },
    address: { capacity: 400, refillPerSecond: 200 },
  },
  /** Bytes of client events, times the estimated receivers in all processes. */
  deliveries: {
    member: { capacity: 4 * MB, refillPerSecond: MB },
    address: { capacity: 16 * MB, refillPerSecond: 4 * MB },
  },
} as const satisfies Record<string, { member: BucketLimits; address: BucketLimits }>
type Kind = keyof typeof LIMITS

/** Connections of a member to one process. */
const MAX_CONNECTIONS = 50
/** Milliseconds between two deletions of full buckets. */
const CLEANUP_INTERVAL = 60_000

interface Consumer {
  readonly address: string
  readonly member?: number | null
  readonly user: { readonly id: number } | null
}

interface Bucket {
  readonly limits: BucketLimits
  tokens: number
  /** By `performance.now()`. */
  refilledAt: number
}

/** Limits members and addresses, however many sockets they use. Nothing is limited with RATE_LIMIT=off. */
export function createBuckets({ RATE_LIMIT }: Pick<Config, 'RATE_LIMIT'>) {
  // Maps for members and addresses, so that no text is built as a key: each read of a socket takes from up to
  // four buckets.
  const buckets = mapKinds(() => ({
    member: new Map<number, Bucket>(),
    address: new Map<string, Bucket>(),
  }))
  const cleanup = setInterval(deleteFull, CLEANUP_INTERVAL).unref()

  function deleteFull() {
    for (const { member, address } of Object.values(buckets))
      for (const map of [member, address] as Map<unknown, Bucket>[])
        for (const [owner, bucket] of map)
          if (refill(bucket).tokens === bucket.limits.capacity) map.delete(owner)
  }

  function refill(bucket: Bucket) {
    const { capacity, refillPerSecond } = bucket.limits
    const now = performance.now()
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.refilledAt) / 1000) * refillPerSecond)
    bucket.refilledAt = now
    return bucket
  }

  function bucketOf<K>(map: Map<K, Bucket>, owner: K, limits: BucketLimits) {
    const known = map.get(owner)
    if (known) return refill(known)
    const bucket = { limits, tokens: limits.capacity, refilledAt: performance.now() }
    map.set(owner, bucket)
    return bucket
  }

  return {
    /** From the bucket of the member or, for a visitor, of the address. False if it has too few. */
    consume(kind: Kind, { user, member, address }: Consumer, amount = 1) {
      if (!RATE_LIMIT) return true
      const id = user?.id ?? member
      const bucket =
        id == null
          ? bucketOf(buckets[kind].address, address, LIMITS[kind].address)
          : bucketOf(buckets[kind].member, id, LIMITS[kind].member)
      if (bucket.tokens < amount) return false
      bucket.tokens -= amount
      return true
    },
    allowsConnections: (count: number) => !RATE_LIMIT || count <= MAX_CONNECTIONS,
    close: () => clearInterval(cleanup),
  }
}

const mapKinds = <T>(create: () => T) =>
  Object.fromEntries(Object.keys(LIMITS).map((kind) => [kind, create()])) as Record<Kind, T>

export type TokenBuckets = ReturnType<typeof createBuckets>

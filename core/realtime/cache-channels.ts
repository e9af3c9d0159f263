import type { Redis } from '#core/redis.ts'

// Cache channels send their last event to new subscribers
// (https://pusher.com/docs/channels/using_channels/cache-channels/).

export const isCacheChannel = (name: string) => /^(private-|presence-)?cache-/.test(name)

/** An event that a server published in a cache channel. `data` is JSON text. */
export interface CachedChannelEvent {
  event: string
  data: string
}

/** Stores the last event of each cache channel. */
export interface LastChannelEventCache {
  set(channel: string, event: CachedChannelEvent): Promise<unknown>
  get(channel: string): Promise<CachedChannelEvent | null>
}

/** Milliseconds for which an event is cached: 30 minutes, as Pusher does. */
const MAX_AGE = 30 * 60_000
const MAX_CHANNELS = 10_000
const MAX_BYTES = 32 * 2 ** 20
/** The maximum length of the data of a cached event, in characters. Longer events are not cached. */
const MAX_EVENT = 2 ** 20

interface Entry extends CachedChannelEvent {
  /** The Unix time at which the event was cached, in ms. */
  at: number
}

const fresh = (entry: Entry | undefined) => (entry && entry.at > Date.now() - MAX_AGE ? entry : null)

/**
 * Creates the cache of the last event of each cache channel, for a single process. Drops the oldest events
 * first when it is full.
 */
export function createMemoryLastChannelEventCache(): LastChannelEventCache {
  const entries = new Map<string, Entry>()
  let bytes = 0
  const sizeOf = (channel: string, { event, data }: CachedChannelEvent) =>
    2 * (channel.length + event.length + data.length)
  function remove(channel: string) {
    const entry = entries.get(channel)
    if (!entry) return
    entries.delete(channel)
    bytes -= sizeOf(channel, entry)
  }
  return {
    async set(channel, { event, data }) {
      remove(channel)
      const entry = { event, data, at: Date.now() }
      if (data.length > MAX_EVENT) return
      entries.set(channel, entry)
      bytes += sizeOf(channel, entry)
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_CHANNELS && bytes <= MAX_BYTES) break
        remove(oldest)
      }
    },
    get: async (channel) => fresh(entries.get(channel)),
  }
}

/**
 * The Redis script that stores an event. KEYS[1] is a hash of the last events of all cache channels. If the
 * hash has too many events, the script drops a random one.
 */
const SET = `
  redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
  redis.call('pexpire', KEYS[1], ARGV[3])
  if redis.call('hlen', KEYS[1]) > tonumber(ARGV[4]) then
    redis.call('hdel', KEYS[1], redis.call('hrandfield', KEYS[1]))
  end`
const GET = `return redis.call('hget', KEYS[1], ARGV[1])`
const DELETE = `return redis.call('hdel', KEYS[1], ARGV[1])`

/** Creates the cache of the last channel events that all processes share through Redis. */
export function createRedisLastChannelEventCache(redis: Redis): LastChannelEventCache {
  const key = `${redis.keyPrefix}:cached-events`
  return {
    set(channel, { event, data }) {
      if (data.length > MAX_EVENT) return redis.runScript(DELETE, key, channel)
      const entry: Entry = { event, data, at: Date.now() }
      return redis.runScript(SET, key, channel, JSON.stringify(entry), String(MAX_AGE), String(MAX_CHANNELS))
    },
    async get(channel) {
      const text = (await redis.runScript(GET, key, channel)) as string | null
      return text === null ? null : fresh(JSON.parse(text) as Entry)
    },
  }
}

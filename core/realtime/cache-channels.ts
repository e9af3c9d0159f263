import type { Redis } from '#core/process/redis.ts'

// Cache channels send their last event to new subscribers
// (https://pusher.com/docs/channels/using_channels/cache-channels/).

export const isCacheChannel = (name: string) => /^(private-|presence-)?cache-/.test(name)

/** `data` is JSON text. */
export interface CachedEvent {
  event: string
  data: string
}

export interface EventCache {
  set(channel: string, event: CachedEvent): Promise<unknown>
  get(channel: string): Promise<CachedEvent | null>
}

/** Milliseconds: 30 minutes, as Pusher does. */
const MAX_AGE = 30 * 60_000
const MAX_CHANNELS = 10_000
const MAX_BYTES = 32 * 2 ** 20
/** In characters. Longer events are not cached. */
const MAX_EVENT = 2 ** 20

interface Entry extends CachedEvent {
  /** In ms. */
  at: number
}

const fresh = (entry: Entry | undefined) => (entry && entry.at > Date.now() - MAX_AGE ? entry : null)

/** For a single process. Drops the oldest events first when it is full. */
export function memoryEventCache(): EventCache {
  const entries = new Map<string, Entry>()
  let bytes = 0
  const sizeOf = (channel: string, { event, data }: CachedEvent) =>
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

/** KEYS[1] is a hash of the last events of all cache channels. A hash with too many drops a random one. */
const SET = `
  redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
  redis.call('pexpire', KEYS[1], ARGV[3])
  if redis.call('hlen', KEYS[1]) > tonumber(ARGV[4]) then
    redis.call('hdel', KEYS[1], redis.call('hrandfield', KEYS[1]))
  end`
const GET = `return redis.call('hget', KEYS[1], ARGV[1])`
const DELETE = `return redis.call('hdel', KEYS[1], ARGV[1])`

export function redisEventCache(redis: Redis): EventCache {
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

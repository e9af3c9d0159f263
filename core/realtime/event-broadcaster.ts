import type { FastifyBaseLogger } from 'fastify'
import { isoNow } from '#core/database/database.ts'
import type { ProcessBus } from '#core/realtime/bus.ts'
import { type CachedEvent, type EventCache, isCacheChannel } from '#core/realtime/cache-channels.ts'
import type { BroadcastJsonOptions, BroadcastOptions } from '#core/realtime/options.ts'

interface Services {
  bus: ProcessBus
  cache: EventCache
  log: FastifyBaseLogger
}

/** Also caches the events of cache channels. */
export class Broadcaster {
  private readonly bus: ProcessBus
  private readonly cache: EventCache
  private readonly log: FastifyBaseLogger

  constructor({ bus, cache, log }: Services) {
    this.bus = bus
    this.cache = cache
    this.log = log
  }

  /** Only to those who may receive it. */
  broadcast(channels: readonly string[], event: string, data: unknown, options: BroadcastOptions) {
    const fallbackData = JSON.stringify(options.fallbackData) as string | undefined
    const trace = options.trace && { at: isoNow(), ...options.trace }
    this.broadcastJson(channels, event, JSON.stringify(data), { ...options, fallbackData, trace })
  }

  /** `data` is already JSON. */
  broadcastJson(channels: readonly string[], event: string, data: string, options: BroadcastJsonOptions) {
    // Does not cache an event that some viewers may not see: every new subscriber gets the cached one.
    if (!options.aboutUsers && !options.onlyFor) this.cacheLast(channels, { event, data })
    // One message for all channels of a stream, because an event of a group has a channel for each member.
    const byStream = Object.groupBy(channels, (channel) => this.bus.streamOf(channel))
    for (const names of Object.values(byStream))
      void this.bus.publish(names![0]!, { kind: 'event', channels: names!, event, data, ...options })
  }

  /** Begins before the event is published, so that a new subscriber gets it either from the cache or live. */
  private cacheLast(channels: readonly string[], event: CachedEvent) {
    for (const channel of channels.filter(isCacheChannel))
      this.cache.set(channel, event).catch((error: unknown) => {
        this.log.warn({ err: error }, 'The last event of a channel was not cached')
      })
  }
}

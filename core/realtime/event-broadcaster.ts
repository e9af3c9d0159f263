import type { FastifyBaseLogger } from 'fastify'
import { currentIsoTime } from '#core/database/database.ts'
import type { ProcessBus } from '#core/realtime/bus.ts'
import {
  type CachedChannelEvent,
  isCacheChannel,
  type LastChannelEventCache,
} from '#core/realtime/cache-channels.ts'
import type { BroadcastJsonOptions, BroadcastOptions } from '#core/realtime/options.ts'

interface Services {
  bus: ProcessBus
  cache: LastChannelEventCache
  log: FastifyBaseLogger
}

/** Publishes events for the subscribers of channels in all processes, and caches those of cache channels. */
export class ChannelEventBroadcaster {
  private readonly bus: ProcessBus
  private readonly cache: LastChannelEventCache
  private readonly log: FastifyBaseLogger

  constructor({ bus, cache, log }: Services) {
    this.bus = bus
    this.cache = cache
    this.log = log
  }

  /** Sends an event to the subscribers of the channels, except to those who may not receive it. */
  broadcast(channels: readonly string[], event: string, data: unknown, options: BroadcastOptions) {
    const fallbackData = JSON.stringify(options.fallbackData) as string | undefined
    const trace = options.trace && { at: currentIsoTime(), ...options.trace }
    this.broadcastJson(channels, event, JSON.stringify(data), { ...options, fallbackData, trace })
  }

  /** Sends an event to the subscribers of the channels, as `broadcast` does. `data` is already JSON. */
  broadcastJson(channels: readonly string[], event: string, data: string, options: BroadcastJsonOptions) {
    // Does not cache an event that some viewers may not see, because every new subscriber receives the
    // cached event.
    if (!options.aboutUsers && !options.onlyFor) this.cacheLast(channels, { event, data })
    // Publishes one message for all channels of the same stream, because an event of a group has a channel
    // for each member.
    const byStream = Object.groupBy(channels, (channel) => this.bus.streamOf(channel))
    for (const names of Object.values(byStream))
      void this.bus.publish(names![0]!, { kind: 'event', channels: names!, event, data, ...options })
  }

  /**
   * Stores the event as the last event of each of the channels that is a cache channel. Storing begins
   * before the event is published, so that a new subscriber receives the event either from the cache or
   * live.
   */
  private cacheLast(channels: readonly string[], event: CachedChannelEvent) {
    for (const channel of channels.filter(isCacheChannel))
      this.cache.set(channel, event).catch((error: unknown) => {
        this.log.warn({ err: error }, 'The last event of a channel was not cached')
      })
  }
}

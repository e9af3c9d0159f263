import type { FastifyBaseLogger } from 'fastify'
import type { LastChannelEventCache } from '#core/realtime/cache-channels.ts'
import type { LocalChannels } from '#core/realtime/channels.ts'
import type { WebSocketConnection } from '#core/realtime/connection.ts'
import { encodeEventWithoutChannel, encodeWebSocketFrameWithChannel } from '#core/realtime/frames.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'

interface Services {
  channels: LocalChannels
  /** The cache of the last event of each cache channel. */
  cache: LastChannelEventCache
  webhooks: WebhookQueue
  log: FastifyBaseLogger
}

/**
 * Creates a function that sends a new subscriber the cached last event of a cache channel, or
 * `pusher:cache_miss` if no event is cached. It sends nothing if a newer event was delivered while the cache
 * was read.
 */
export function createCachedChannelEventSender({ channels, cache, webhooks, log }: Services) {
  return async (connection: WebSocketConnection, name: string) => {
    const channel = channels.get(name)
    const before = channel?.serverEvents
    const cached = await cache.get(name).catch((error: unknown) => {
      log.warn({ err: error }, 'The last event of a channel could not be read')
      return null
    })
    if (!connection.subscriptions.has(name) || channel?.serverEvents !== before) return
    if (cached)
      return connection.enqueue(
        encodeWebSocketFrameWithChannel(name, encodeEventWithoutChannel(cached.event, cached.data)),
      )
    connection.send('pusher:cache_miss', {}, name)
    webhooks.add({ name: 'cache_miss', channel: name })
  }
}
export type SendCachedLastEventToSubscriber = ReturnType<typeof createCachedChannelEventSender>

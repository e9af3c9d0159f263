import type { FastifyBaseLogger } from 'fastify'
import type { EventCache } from '#core/realtime/cache-channels.ts'
import type { LocalChannels } from '#core/realtime/channels.ts'
import type { Connection } from '#core/realtime/connection.ts'
import { encodeEvent, encodeFrame } from '#core/realtime/frames.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'

interface Services {
  channels: LocalChannels
  cache: EventCache
  webhooks: WebhookQueue
  log: FastifyBaseLogger
}

/** Sends the last event or `pusher:cache_miss`; nothing if a newer one was delivered meanwhile. */
export function createSendCached({ channels, cache, webhooks, log }: Services) {
  return async (connection: Connection, name: string) => {
    const channel = channels.get(name)
    const before = channel?.serverEvents
    const cached = await cache.get(name).catch((error: unknown) => {
      log.warn({ err: error }, 'The last event of a channel could not be read')
      return null
    })
    if (!connection.subscriptions.has(name) || channel?.serverEvents !== before) return
    if (cached) return connection.enqueue(encodeFrame(name, encodeEvent(cached.event, cached.data)))
    connection.send('pusher:cache_miss', {}, name)
    webhooks.add({ name: 'cache_miss', channel: name })
  }
}
export type SendCached = ReturnType<typeof createSendCached>

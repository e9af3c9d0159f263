import type { Server } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#core/config.ts'
import { createMemoryBus, GLOBAL_TOPIC } from '#core/realtime/bus.ts'
import { createMemoryLastEventCache, createRedisLastEventCache } from '#core/realtime/cache-channels.ts'
import { listenForUpgrades } from '#core/realtime/connection-limits.ts'
import type { RealtimeConnectionOptions } from '#core/realtime/options.ts'
import { createRedisBus } from '#core/realtime/redis-bus.ts'
import { RealtimeServer } from '#core/realtime/server.ts'
import { createTokenBuckets } from '#core/realtime/token-buckets.ts'
import type { RealtimeVisibility } from '#core/realtime/visibility.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'
import type { Redis } from '#core/redis.ts'

/**
 * Creates the realtime server, which accepts WebSockets on the HTTP server `server`. `redis` connects it with
 * the other processes of the community. `visibility` decides which viewers may receive an event.
 */
export async function createRealtimeServer(
  config: Config,
  server: Server,
  log: FastifyBaseLogger,
  redis: Redis | null,
  visibility: RealtimeVisibility,
  webhooks: WebhookQueue,
  options: RealtimeConnectionOptions = {},
): Promise<RealtimeServer> {
  const bus = redis ? await createRedisBus(redis, log) : createMemoryBus()
  const tokenBuckets = createTokenBuckets(config, (spending) => {
    if (bus.otherProcesses().length) void bus.publish(GLOBAL_TOPIC, { kind: 'spent', spending })
  })
  const cache = redis ? createRedisLastEventCache(redis) : createMemoryLastEventCache()
  const realtime = new RealtimeServer(config, log, bus, tokenBuckets, cache, visibility, webhooks, options)
  listenForUpgrades(server, config, tokenBuckets, (upgrade) => realtime.upgrade(upgrade))
  return realtime
}

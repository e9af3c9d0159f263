import type { Server } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#core/config.ts'
import type { MemberOf } from '#core/http/rate-limits.ts'
import { createMemoryProcessBus, GLOBAL_PROCESS_BUS_TOPIC } from '#core/realtime/bus.ts'
import {
  createMemoryLastChannelEventCache,
  createRedisLastChannelEventCache,
} from '#core/realtime/cache-channels.ts'
import { listenForWebSocketUpgrades } from '#core/realtime/connection-limits.ts'
import type { RealtimeServerConnectionLimits } from '#core/realtime/options.ts'
import { createRedisProcessBus } from '#core/realtime/redis-bus.ts'
import { RealtimeServer } from '#core/realtime/server.ts'
import { createRealtimeTokenBuckets } from '#core/realtime/token-buckets.ts'
import type { RealtimeVisibilityRules } from '#core/realtime/visibility.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'
import type { Redis } from '#core/redis.ts'

/**
 * Creates the realtime server, which accepts WebSockets on the HTTP server `server`. `redis` connects it with
 * the other processes of the community. `visibility` decides which viewers may receive an event. `memberOf`
 * recognises whose a WebSocket is.
 */
export async function createRealtimeServer(
  config: Config,
  server: Server,
  log: FastifyBaseLogger,
  redis: Redis | null,
  visibility: RealtimeVisibilityRules,
  webhooks: WebhookQueue,
  memberOf: MemberOf,
  options: RealtimeServerConnectionLimits = {},
): Promise<RealtimeServer> {
  const bus = redis ? await createRedisProcessBus(redis, log) : createMemoryProcessBus()
  const tokenBuckets = createRealtimeTokenBuckets(config, (spending) => {
    if (bus.otherProcesses().length) void bus.publish(GLOBAL_PROCESS_BUS_TOPIC, { kind: 'spent', spending })
  })
  const cache = redis ? createRedisLastChannelEventCache(redis) : createMemoryLastChannelEventCache()
  const realtime = new RealtimeServer(config, log, bus, tokenBuckets, cache, visibility, webhooks, options)
  listenForWebSocketUpgrades(server, config, tokenBuckets, memberOf, (upgrade) => realtime.upgrade(upgrade))
  return realtime
}

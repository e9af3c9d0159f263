import type { Server } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#core/config.ts'
import type { MemberOf } from '#core/http/rate-limits.ts'
import type { Redis } from '#core/process/redis.ts'
import { createMemoryBus } from '#core/realtime/bus.ts'
import { memoryEventCache, redisEventCache } from '#core/realtime/cache-channels.ts'
import { listenForUpgrades } from '#core/realtime/connection-limits.ts'
import type { ConnectionLimits } from '#core/realtime/options.ts'
import { createRedisBus } from '#core/realtime/redis-bus.ts'
import { RealtimeServer } from '#core/realtime/server.ts'
import { createBuckets } from '#core/realtime/token-buckets.ts'
import type { VisibilityRules } from '#core/realtime/visibility.ts'
import type { WebhookQueue } from '#core/realtime/webhooks.ts'

/** `redis` connects the server with the other processes of the community; null with a single process. */
export async function createRealtime(
  config: Config,
  server: Server,
  log: FastifyBaseLogger,
  redis: Redis | null,
  visibility: VisibilityRules,
  webhooks: WebhookQueue,
  memberOf: MemberOf,
  options: ConnectionLimits = {},
): Promise<RealtimeServer> {
  const bus = redis ? await createRedisBus(redis, log) : createMemoryBus()
  const tokenBuckets = createBuckets(config)
  const cache = redis ? redisEventCache(redis) : memoryEventCache()
  const realtime = new RealtimeServer(config, log, bus, tokenBuckets, cache, visibility, webhooks, options)
  listenForUpgrades(server, config, tokenBuckets, memberOf, (upgrade) => realtime.upgrade(upgrade))
  return realtime
}

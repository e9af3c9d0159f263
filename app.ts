import { migrations as backup } from '#core/backup/history.ts'
import type { Config } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import type { Contract } from '#core/contract.ts'
import { createQueryCaches } from '#core/database/cache.ts'
import type { Database, Migrations } from '#core/database/database.ts'
import { createEndpoints } from '#core/http/endpoints.ts'
import { serveHealth } from '#core/http/health.ts'
import { serveMetrics } from '#core/http/metrics.ts'
import { serveOpenApi } from '#core/http/openapi-route.ts'
import { type Site, servePages } from '#core/http/pages.ts'
import { createHttpServer, type HttpServerOptions } from '#core/http/server.ts'
import { createSessions } from '#core/http/session.ts'
import { migrations as jobs } from '#core/jobs/jobs.ts'
import { startJobs } from '#core/jobs/runner.ts'
import { createEmit } from '#core/listeners.ts'
import { createLocks, createSharedLocks } from '#core/locks.ts'
import { migrations as mail } from '#core/mail/mail.ts'
import { openMailTransport } from '#core/mail/transports.ts'
import { createMediaAccess } from '#core/media/guards.ts'
import { openMedia } from '#core/media/media.ts'
import { openStorage } from '#core/media/open-storage.ts'
import { serveMedia } from '#core/media/routes.ts'
import { migrations as media } from '#core/media/tables.ts'
import { type FeatureModule, jobHandlers } from '#core/module.ts'
import { servePublisherApi } from '#core/realtime/http-api.ts'
import { realtimeEndpoints, realtimeRoutes } from '#core/realtime/routes.ts'
import { createRealtime, type RealtimeOptions } from '#core/realtime/server.ts'
import { openRedis } from '#core/redis.ts'
import { migrations as secrets } from '#core/secrets.ts'
import { adminModule } from '#features/admin/module.ts'
import { chatModule } from '#features/chat/module.ts'
import { currentUserModule } from '#features/current-user/module.ts'
import { peopleModule } from '#features/people/module.ts'
import { queuedPasswordHashes } from '#features/people/passwords.ts'
import { createSessionStore } from '#features/people/sessions.ts'
import { refuseUnknownHosts } from '#features/people/setup.ts'
import { createAudience } from '#features/people/visibility.ts'
import { postsModule } from '#features/posts/module.ts'
import { publicChatModule } from '#features/public-chat/module.ts'
import { shopModule } from '#features/shop/module.ts'

/** All features, in dependency order: each may use those before it. */
export const modules: readonly FeatureModule[] = [
  peopleModule,
  postsModule,
  chatModule,
  adminModule,
  shopModule,
  publicChatModule,
  currentUserModule,
]

/** Contracts by name, as `openapi.json` groups them. */
export const contractsOf = (features: readonly FeatureModule[]): Readonly<Record<string, Contract>> =>
  Object.assign({ realtime: realtimeEndpoints }, ...features.map((feature) => feature.contracts))
export const contracts = contractsOf(modules)

export const pages = modules.flatMap((module) => module.pages ?? [])

/** The tables of core and of all features. A feature that is left out keeps its tables and their data. */
export const migrations: readonly Migrations[] = [
  secrets,
  jobs,
  mail,
  media,
  backup,
  ...modules.map((module) => module.migrations ?? {}),
]

export interface AppOptions extends HttpServerOptions {
  config: Config
  database: Database
  site: Site
  /** The features to serve. Default: all of them; with DEMO=off all but the samples. */
  features?: readonly FeatureModule[]
  /** Waits between the attempts of a job, ms. */
  jobWaits?: readonly number[]
  realtime?: RealtimeOptions
}

/** Builds the whole app, on a migrated database. Its server does not listen yet. */
export async function buildApp({ config, database, site, ...options }: AppOptions) {
  const { features = modules.filter(({ sample }) => config.DEMO || !sample) } = options
  const { db } = database
  const storage = await openStorage(config)
  const redis = config.REDIS_URL ? await openRedis(config, config.REDIS_URL) : null
  const server = await createHttpServer(config, redis, options)
  const { app } = server
  const { log } = app
  const queryCaches = createQueryCaches(database)
  const audience = createAudience({ db, queryCaches })
  const realtime = await createRealtime(config, app.server, log, redis, audience, options.realtime)
  const mediaOptions = { dataFolder: config.DATA_DIR, origin: config.PUBLIC_URL ?? '', singleProcess: !redis }
  const context: AppContext = {
    config,
    log,
    db,
    queryCaches,
    redis,
    realtime,
    emit: createEmit(
      features.flatMap(({ listeners }) => listeners ?? []),
      () => context,
    ),
    withLock: redis ? createSharedLocks(redis, () => realtime.flushed()) : createLocks(),
    media: openMedia(db, storage, mediaOptions, log),
    jobs: startJobs({
      db,
      log,
      handlers: jobHandlers(
        [{ mail: openMailTransport(config, log) }, ...features.map(({ jobs = {} }) => jobs)],
        () => context,
      ),
      ...(options.jobWaits && { waits: options.jobWaits }),
    }),
    site: { origin: config.PUBLIC_URL ?? `http://localhost:${config.PORT}` },
  }
  app.addHook('onRequest', refuseUnknownHosts(context))
  const endpoints = createEndpoints(server, createSessions(config, createSessionStore(context)), context)

  const queues = { passwords: queuedPasswordHashes, pictures: context.media.queueLength }
  await serveMetrics(app, context, database, queues)
  endpoints.serve(realtimeEndpoints, realtimeRoutes)
  await servePublisherApi(server, realtime, config)
  for (const { contracts = {}, routes, channels, guards } of features) {
    const handlers = routes?.(context, features) ?? {}
    for (const [name, contract] of Object.entries(contracts)) endpoints.serve(contract, handlers[name]!)
    if (channels) realtime.addChannels(channels, guards?.(context) ?? {})
  }
  serveOpenApi(app, endpoints, config.APP_NAME, contractsOf(features))
  serveHealth(app, context, storage)
  const mediaGuards = Object.assign({}, ...features.map((feature) => feature.mediaGuards?.(context)))
  await serveMedia(app, storage, createMediaAccess(db, mediaGuards), endpoints.openSession)
  await servePages(server, endpoints, context, site, features)

  app.addHook('onReady', async () => {
    for (const { onReady } of features) await onReady?.(context)
    await context.media.sweep()
  })
  app.addHook('preClose', () => realtime.close())
  app.addHook('onClose', async () => {
    await context.jobs.close()
    await context.media.close()
    await redis?.close()
    storage.close()
  })
  return { app, server, endpoints, context }
}

import { keepAuditLog } from '#core/audit-log/keeper.ts'
import { createSettingsStore } from '#core/community/settings.ts'
import type { Config } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { createCaches } from '#core/database/cache.ts'
import { coreMigrations } from '#core/database/core-migrations.ts'
import type { Migrations, OpenedDatabase } from '#core/database/database.ts'
import { onLostCommit } from '#core/database/lost-commits.ts'
import { startVersions } from '#core/database/table-versions.ts'
import { transaction } from '#core/database/transaction.ts'
import { walTruncationHandler } from '#core/database/truncate-wal.ts'
import * as contracts from '#core/feature/contracts.ts'
import { collectExtras } from '#core/feature/extras.ts'
import { createEmit } from '#core/feature/listeners.ts'
import { combineHandlers, type FeatureModule, isFeatureOnFor } from '#core/feature/module.ts'
import { collectNews } from '#core/feature/news.ts'
import { collectProvided, type Provided } from '#core/feature/provided.ts'
import { watchDisk } from '#core/health/disk.ts'
import { createRouter } from '#core/http/endpoints.ts'
import { addPagesVersion, type Frontend } from '#core/http/frontend.ts'
import { serveHealth } from '#core/http/health.ts'
import { serveMetrics } from '#core/http/metrics.ts'
import { serveOpenApi } from '#core/http/openapi-route.ts'
import { servePages } from '#core/http/pages.ts'
import { type Connector, realConnector } from '#core/http/public-network.ts'
import { createServer, type ServerOptions } from '#core/http/server.ts'
import { createSessionService } from '#core/http/session.ts'
import type { JobPayloads } from '#core/jobs/jobs.ts'
import { startJobRunner } from '#core/jobs/runner.ts'
import * as mailDeletion from '#core/mail/deletion.ts'
import { mailHandler } from '#core/mail/transports.ts'
import { createMediaAccess } from '#core/media/guards.ts'
import { createMedia } from '#core/media/media.ts'
import { openStorage } from '#core/media/open-storage.ts'
import { serveMedia } from '#core/media/routes.ts'
import { createLocalLock, createRedisLock } from '#core/process/locks.ts'
import { openRedis } from '#core/process/redis.ts'
import { createRealtime } from '#core/realtime/create-server.ts'
import { serveHttpApi } from '#core/realtime/http-api.ts'
import type { ConnectionLimits } from '#core/realtime/options.ts'
import { realtimeContract, realtimeHandlers } from '#core/realtime/routes.ts'
import { startWebhooks, WebhookQueue } from '#core/realtime/webhooks.ts'
import { accountModule } from '#features/account/module.ts'
import { secondStepCheck } from '#features/account/second-step-rule.ts'
import { acknowledgementsModule } from '#features/acknowledgements/module.ts'
import { adminModule } from '#features/admin/module.ts'
import { albumsModule } from '#features/albums/module.ts'
import { calendarsModule } from '#features/calendars/module.ts'
import { cardsModule } from '#features/cards/module.ts'
import { circularsModule } from '#features/circulars/module.ts'
import { conversationsModule } from '#features/conversations/module.ts'
import { currentUserModule } from '#features/current-user/module.ts'
import { deliveriesModule } from '#features/deliveries/module.ts'
import { digestModule } from '#features/digest/module.ts'
import { draftsModule } from '#features/drafts/module.ts'
import { eventsModule } from '#features/events/module.ts'
import { exportModule } from '#features/export/module.ts'
import { groupsModule } from '#features/groups/module.ts'
import { guardiansModule } from '#features/guardians/module.ts'
import { previewsModule } from '#features/link-previews/module.ts'
import { mentionsModule } from '#features/mentions/module.ts'
import { messagesModule } from '#features/messages/module.ts'
import { moderationModule } from '#features/moderation/module.ts'
import { newPostsModule } from '#features/new-posts/module.ts'
import { notificationsModule } from '#features/notifications/module.ts'
import { openGroupsModule } from '#features/open-groups/module.ts'
import { countMembers, hasMember } from '#features/people/deletion.ts'
import { peopleModule } from '#features/people/module.ts'
import { waitingHashes } from '#features/people/passwords.ts'
import { realtimeRules } from '#features/people/realtime-visibility.ts'
import * as sessions from '#features/people/sessions.ts'
import { setupHostHook } from '#features/people/setup.ts'
import { pollsModule } from '#features/polls/module.ts'
import { postsModule } from '#features/posts/module.ts'
import { publicChatModule } from '#features/public-chat/module.ts'
import { pushModule } from '#features/push/module.ts'
import { reactionsModule } from '#features/reactions/module.ts'
import { registrationModule } from '#features/registration/module.ts'
import { repliesModule } from '#features/replies/module.ts'
import { rollCallsModule } from '#features/roll-calls/module.ts'
import { rotaModule } from '#features/rota/module.ts'
import { scheduledModule } from '#features/scheduled/module.ts'
import { searchModule } from '#features/search/module.ts'
import { shopModule } from '#features/shop/module.ts'
import { sinceModule } from '#features/since/module.ts'
import { tagsModule } from '#features/tags/module.ts'
import { turnsModule } from '#features/turns/module.ts'
import { voiceModule } from '#features/voice/module.ts'

/** The modules of all features, in dependency order. Each feature may use those before it. */
export const featureModules: readonly FeatureModule[] = [
  peopleModule,
  registrationModule,
  accountModule,
  postsModule,
  tagsModule,
  circularsModule,
  repliesModule,
  voiceModule,
  conversationsModule,
  groupsModule,
  messagesModule,
  reactionsModule,
  mentionsModule,
  previewsModule,
  notificationsModule,
  pushModule,
  digestModule,
  deliveriesModule,
  newPostsModule,
  guardiansModule,
  openGroupsModule,
  acknowledgementsModule,
  rollCallsModule,
  pollsModule,
  eventsModule,
  calendarsModule,
  rotaModule,
  scheduledModule,
  draftsModule,
  searchModule,
  cardsModule,
  moderationModule,
  albumsModule,
  turnsModule,
  sinceModule,
  adminModule,
  exportModule,
  shopModule,
  publicChatModule,
  currentUserModule,
]

export const apiContracts = contracts.collect(featureModules)

export const pageDefinitions = featureModules.flatMap((module) => module.pages ?? [])

/**
 * The migrations of core and of all features. A feature that does not run keeps its tables and their data.
 */
export const allMigrations: readonly Migrations[] = [
  ...coreMigrations,
  ...featureModules.map((module) => module.migrations ?? {}),
]

export interface AppOptions extends ServerOptions {
  config: Config
  database: OpenedDatabase
  frontend: Frontend
  /** The features to serve: by default all of them; with DEMO=off all except the samples. */
  features?: readonly FeatureModule[]
  /**
   * The delays in ms after which a failed job, webhook or push message is tried again. By default each of
   * these has delays of its own. Only tests pass this option.
   */
  jobRetryDelays?: readonly number[]
  /** How often to look for jobs that the command line has added, in ms: see RunnerOptions. */
  jobLookInterval?: number
  realtime?: ConnectionLimits
  /**
   * The functions by which the server connects to other servers whose addresses members write. Only tests
   * pass this option.
   */
  publicNetwork?: Connector
}

/**
 * The parts of AppContext that exist before the context is created. The other parts are created from them.
 */
type ContextParts = Pick<
  AppContext,
  | 'config'
  | 'log'
  | 'queryCaches'
  | 'redis'
  | 'realtime'
  | 'storage'
  | 'db'
  | 'publicNetwork'
  | keyof Provided
>

/** Creates the context of the app: the services that routes, models and jobs of the features get. */
async function createAppContext(
  parts: ContextParts,
  features: readonly FeatureModule[],
  { jobRetryDelays: retryDelays, jobLookInterval: lookInterval }: Partial<AppOptions>,
): Promise<AppContext> {
  const { config, log, db, redis, realtime, storage } = parts
  onLostCommit(db, () => realtime.announceLostEvents())
  const origin = config.PUBLIC_URL ?? ''
  const disk = watchDisk(config, log)
  const { requireRoom } = disk
  const mediaOptions = { dataFolder: config.DATA_DIR, origin, singleProcess: !redis, redis, requireRoom }
  const coreJobs = {
    mail: mailHandler({ config, db, log }, (id) => hasMember(db, id)),
    withheld_mail: async () => {},
    delete_mail_files: mailDeletion.fileDeletionHandler(config),
    truncate_wal: walTruncationHandler(db, () => features.map(({ purge }) => purge?.(context))),
    domain_event: ({ name, event }: JobPayloads['domain_event']) =>
      transaction(db, (tx) => context.emit(tx, name, event)),
  }
  const handlers = [coreJobs, ...features.map(({ jobs = {} }) => jobs)]
  const listeners = features.flatMap((feature) => feature.listeners ?? [])
  const context: AppContext = {
    ...parts,
    settings: await createSettingsStore({ db, config, realtime, log }),
    emit: createEmit(listeners, () => context),
    extras: collectExtras(features),
    news: collectNews(features),
    withLock: redis ? createRedisLock(redis, () => realtime.flushed()) : createLocalLock(),
    media: createMedia(db, storage, mediaOptions, log),
    disk,
    jobs: startJobRunner({
      db,
      log,
      handlers: combineHandlers(handlers, () => context),
      keptAfterFailure: ['mail'],
      ...(retryDelays && { retryDelays }),
      ...(lookInterval && { lookInterval }),
    }),
    publicSite: {
      origin: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
      get name() {
        return context.settings.current().community_name
      },
      get accent_colour() {
        return context.settings.current().accent_colour
      },
    },
  }
  return context
}

/** Builds the whole app, on a migrated database. Its server does not listen yet. */
export async function buildApp({ config, database, frontend, ...options }: AppOptions) {
  const { features = featureModules.filter(({ isDemo }) => config.DEMO || !isDemo) } = options
  const { db } = database
  const storage = await openStorage(config)
  const redis = config.REDIS_URL ? await openRedis(config, config.REDIS_URL) : null
  const readCommunityLanguage = () => context.settings.current().default_language
  const server = await createServer(config, redis, readCommunityLanguage, options)
  const { app } = server
  const { log } = app
  const retryDelays = options.jobRetryDelays
  const versions = redis ? await startVersions(db, redis, log) : undefined
  const queryCaches = createCaches(database, versions)
  const provided = collectProvided(features, () => context)
  const visibility = realtimeRules({ db, queryCaches, ...provided })
  const realtime = await createRealtime(
    config,
    app.server,
    log,
    redis,
    visibility,
    new WebhookQueue(config, db, log),
    server.limits.memberOf,
    options.realtime,
  )
  const network = options.publicNetwork ?? realConnector
  await keepAuditLog(db, config.AUDIT_LOG_KEY, config.DATA_DIR, log)
  const parts = {
    config,
    log,
    db,
    queryCaches,
    redis,
    realtime,
    storage,
    publicNetwork: network,
    ...provided,
  }
  const context = await createAppContext(parts, features, options)
  const webhookJobs = startWebhooks(config, db, log, retryDelays)
  app.addHook('onRequest', setupHostHook(context))
  addPagesVersion(app, frontend)
  const endpoints = createRouter(
    server,
    createSessionService(config, sessions.createStore(context, secondStepCheck), context.settings),
    context,
  )

  const queues = { passwords: waitingHashes, pictures: context.media.queueLength }
  const readers = { queues, countMembers: () => countMembers(db) }
  await serveMetrics(app, context, database, readers, versions?.cacheCounts)
  endpoints.serve(realtimeContract, realtimeHandlers)
  await serveHttpApi(server, realtime, config, redis)
  for (const feature of features) {
    const { contracts, routes, channels, guards } = feature
    const handlers = routes?.(context, features) ?? {}
    for (const [name, contract] of Object.entries(contracts))
      endpoints.serve(contract, handlers[name]!, (me) => isFeatureOnFor(feature, context, me))
    realtime.addChannels(channels, guards?.(context) ?? {})
  }
  serveOpenApi(app, endpoints, context, contracts.finder(features, context))
  serveHealth(app, context, storage)
  const mediaGuards = features.map((feature) => feature.mediaGuards?.(context) ?? {})
  const access = createMediaAccess(context, mediaGuards)
  await serveMedia(app, { ...context, access, openSession: endpoints.openSession })
  await servePages(server, endpoints, context, frontend, features)

  const backgroundWork: { close(): Promise<unknown> }[] = []
  app.addHook('onReady', async () => {
    for (const { onReady } of features) await onReady?.(context)
    await context.media.cleanUp()
    context.disk.start()
    for (const { startBackgroundWork } of features)
      if (startBackgroundWork) backgroundWork.push(startBackgroundWork(context, features, retryDelays))
  })
  app.addHook('preClose', () => realtime.close())
  app.addHook('onClose', async () => {
    await Promise.all([context.jobs, webhookJobs, ...backgroundWork].map((work) => work.close()))
    await context.media.close()
    await context.disk.close()
    versions?.close()
    await redis?.close()
    storage.close()
  })
  return { app, server, endpoints, context }
}

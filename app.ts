import { keepAuditLog } from '#core/audit-log/keeper.ts'
import { auditLogMigrations as auditLog } from '#core/audit-log/tables.ts'
import { backupHistoryMigrations as backup } from '#core/backup/history.ts'
import { communityPictureMigrations as communityPicture } from '#core/community-picture.ts'
import {
  createCommunitySettingsStore,
  communitySettingMigrations as settings,
} from '#core/community-settings.ts'
import type { Config } from '#core/config.ts'
import { allowAllContactRules } from '#core/contacts.ts'
import type { AppContext } from '#core/context.ts'
import type { FeatureEndpointsByName } from '#core/contract.ts'
import { createQueryCacheFactory } from '#core/database/cache.ts'
import type { MigrationsByName, OpenedDatabase } from '#core/database/database.ts'
import { addLostCommitListener } from '#core/database/lost-commits.ts'
import { startRedisTableVersions } from '#core/database/table-versions.ts'
import { transaction } from '#core/database/transaction.ts'
import { createWalTruncationJobHandler } from '#core/database/truncate-wal.ts'
import { alwaysEmptyGroupMembershipQueryBuilders } from '#core/groups.ts'
import { watchDisk } from '#core/health/disk.ts'
import { writeCheckMigrations as writeChecks } from '#core/health/write-check.ts'
import { createEndpointRouter } from '#core/http/endpoints.ts'
import { addPagesVersionToResponses, type FrontendTemplateAndAssets } from '#core/http/frontend.ts'
import { serveHealthEndpoints } from '#core/http/health.ts'
import { serveMetrics } from '#core/http/metrics.ts'
import { serveOpenApi } from '#core/http/openapi-route.ts'
import { servePagesAndStaticFiles } from '#core/http/pages.ts'
import { createFastifyAppWithSharedHooks, type FastifyAppOptions } from '#core/http/server.ts'
import { createRequestSessionAndCsrfService } from '#core/http/session.ts'
import { type JobPayloads, jobMigrations as jobs } from '#core/jobs/jobs.ts'
import { startJobRunner } from '#core/jobs/runner.ts'
import { createEmitDomainEvent } from '#core/listeners.ts'
import { createRunWithLocalLock, createRunWithRedisLock } from '#core/locks.ts'
import { createMailFileDeletionJobHandler } from '#core/mail/deletion.ts'
import { mailLimitMigrations as mailLimits } from '#core/mail/limits.ts'
import { mailMigrations as mail } from '#core/mail/mail.ts'
import { createMailJobHandler } from '#core/mail/transports.ts'
import { createMediaAccessControl } from '#core/media/guards.ts'
import { createMediaService } from '#core/media/media.ts'
import { openMediaStorage } from '#core/media/open-storage.ts'
import { serveMedia } from '#core/media/routes.ts'
import { mediaMigrations as media } from '#core/media/tables.ts'
import { combineModuleJobHandlers, type FeatureModule, isFeatureOnFor } from '#core/module.ts'
import { alwaysFalseOpenReportSqlConditionBuilders } from '#core/open-reports.ts'
import { type PublicInternetConnector, realPublicInternetConnector } from '#core/public-network.ts'
import { createRealtimeServer } from '#core/realtime/create-server.ts'
import { servePusherHttpApi } from '#core/realtime/http-api.ts'
import type { RealtimeServerConnectionLimits } from '#core/realtime/options.ts'
import { realtimeEndpointHandlers, realtimeEndpoints } from '#core/realtime/routes.ts'
import { startWebhookJobRunner, WebhookQueue } from '#core/realtime/webhooks.ts'
import { openRedis } from '#core/redis.ts'
import { secretMigrations as secrets } from '#core/secrets.ts'
import { accountModule } from '#features/account/module.ts'
import { sessionSecondStepCheckAndTablesItReads } from '#features/account/second-step-rule.ts'
import { adminModule } from '#features/admin/module.ts'
import { logInCardsModule } from '#features/cards/module.ts'
import { chatModule } from '#features/chat/module.ts'
import { currentUserSampleModule } from '#features/current-user/module.ts'
import { deliveriesModule } from '#features/deliveries/module.ts'
import { digestModule } from '#features/digest/module.ts'
import { dataExportModule } from '#features/export/module.ts'
import { guardiansModule } from '#features/guardians/module.ts'
import { linkPreviewsModule } from '#features/link-previews/module.ts'
import { mentionsModule } from '#features/mentions/module.ts'
import { moderationModule } from '#features/moderation/module.ts'
import { notificationsModule } from '#features/notifications/module.ts'
import { countMembers, hasMemberWithId } from '#features/people/deletion.ts'
import { peopleModule } from '#features/people/module.ts'
import { getNumberOfWaitingPasswordHashes } from '#features/people/passwords.ts'
import { createRealtimeVisibilityRules } from '#features/people/realtime-visibility.ts'
import { createSessionStoreForLookups } from '#features/people/sessions.ts'
import { createSetupHostCheckHook } from '#features/people/setup.ts'
import { postsModule } from '#features/posts/module.ts'
import { publicChatModule } from '#features/public-chat/module.ts'
import { pushModule } from '#features/push/module.ts'
import { reactionsModule } from '#features/reactions/module.ts'
import { registrationModule } from '#features/registration/module.ts'
import { repliesModule } from '#features/replies/module.ts'
import { shopModule } from '#features/shop/module.ts'
import { tagsModule } from '#features/tags/module.ts'

/** The modules of all features, in dependency order. Each feature may use those before it. */
export const featureModules: readonly FeatureModule[] = [
  peopleModule,
  registrationModule,
  accountModule,
  postsModule,
  tagsModule,
  repliesModule,
  chatModule,
  reactionsModule,
  mentionsModule,
  linkPreviewsModule,
  notificationsModule,
  pushModule,
  digestModule,
  deliveriesModule,
  guardiansModule,
  logInCardsModule,
  moderationModule,
  adminModule,
  dataExportModule,
  shopModule,
  publicChatModule,
  currentUserSampleModule,
]

/**
 * Returns the endpoint contracts of these features and of the realtime server, by the names under which
 * `openapi.json` groups them.
 */
export const collectApiContractsByName = (
  features: readonly FeatureModule[],
): Readonly<Record<string, FeatureEndpointsByName>> =>
  Object.assign({ realtime: realtimeEndpoints }, ...features.map((feature) => feature.contracts))
export const apiContractsByName = collectApiContractsByName(featureModules)

export const featurePageDefinitions = featureModules.flatMap((module) => module.pages ?? [])

/**
 * The migrations of core and of all features. A feature that does not run keeps its tables and their data.
 */
export const allMigrations: readonly MigrationsByName[] = [
  secrets,
  settings,
  jobs,
  mail,
  mailLimits,
  media,
  backup,
  writeChecks,
  auditLog,
  communityPicture,
  ...featureModules.map((module) => module.migrations ?? {}),
]

export interface AppOptions extends FastifyAppOptions {
  config: Config
  database: OpenedDatabase
  frontend: FrontendTemplateAndAssets
  /** The features to serve: by default all of them; with DEMO=off all except the samples. */
  features?: readonly FeatureModule[]
  /**
   * The delays in ms after which a failed job, webhook or push message is tried again. By default each of
   * these has delays of its own. Only tests pass this option.
   */
  jobRetryDelays?: readonly number[]
  /** How often to look for jobs that the command line has added, in ms: see RunnerOptions. */
  jobLookInterval?: number
  realtime?: RealtimeServerConnectionLimits
  /**
   * The functions by which the server connects to other servers whose addresses members write. Only tests
   * pass this option.
   */
  publicNetwork?: PublicInternetConnector
}

/**
 * The parts of AppContext that exist before the context is created. The other parts are created from them.
 */
type ContextParts = Pick<
  AppContext,
  'config' | 'log' | 'queryCaches' | 'redis' | 'realtime' | 'storage' | 'db' | 'publicNetwork' | 'contacts'
>

/** Creates the context of the app: the services that routes, models and jobs of the features get. */
async function createAppContext(
  parts: ContextParts,
  features: readonly FeatureModule[],
  { jobRetryDelays: retryDelays, jobLookInterval: lookInterval }: Partial<AppOptions>,
): Promise<AppContext> {
  const { config, log, db, redis, realtime, storage } = parts
  addLostCommitListener(db, () => realtime.announceLostEvents())
  const origin = config.PUBLIC_URL ?? ''
  const disk = watchDisk(config, log)
  const { requireRoom } = disk
  const mediaOptions = { dataFolder: config.DATA_DIR, origin, singleProcess: !redis, redis, requireRoom }
  const coreJobs = {
    mail: createMailJobHandler({ config, db, log }, (id) => hasMemberWithId(db, id)),
    withheld_mail: async () => {},
    delete_mail_files: createMailFileDeletionJobHandler(config),
    truncate_wal: createWalTruncationJobHandler(db),
    domain_event: ({ name, event }: JobPayloads['domain_event']) =>
      transaction(db, (tx) => context.emit(tx, name, event)),
  }
  const handlers = [coreJobs, ...features.map(({ jobs = {} }) => jobs)]
  const listeners = features.flatMap((feature) => feature.listeners ?? [])
  const context: AppContext = {
    ...parts,
    settings: await createCommunitySettingsStore({ db, config, realtime, log }),
    emit: createEmitDomainEvent(listeners, () => context),
    withLock: redis ? createRunWithRedisLock(redis, () => realtime.flushed()) : createRunWithLocalLock(),
    groups:
      features.find((feature) => feature.groupMemberships)?.groupMemberships ??
      alwaysEmptyGroupMembershipQueryBuilders,
    openReports:
      features.find((feature) => feature.openReports)?.openReports ??
      alwaysFalseOpenReportSqlConditionBuilders,
    media: createMediaService(db, storage, mediaOptions, log),
    disk,
    jobs: startJobRunner({
      db,
      log,
      handlers: combineModuleJobHandlers(handlers, () => context),
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

/**
 * Creates a function that returns, by name, the contracts of the realtime server and of the features that
 * are on at the moment.
 */
function createContractFinder(features: readonly FeatureModule[], { settings }: AppContext) {
  const all = collectApiContractsByName(features)
  const withoutSamples = collectApiContractsByName(features.filter(({ isDemo }) => !isDemo))
  return () => (settings.current().show_samples ? all : withoutSamples)
}

/** Builds the whole app, on a migrated database. Its server does not listen yet. */
export async function buildFastifyAppAndContext({ config, database, frontend, ...options }: AppOptions) {
  const { features = featureModules.filter(({ isDemo }) => config.DEMO || !isDemo) } = options
  const { db } = database
  const storage = await openMediaStorage(config)
  const redis = config.REDIS_URL ? await openRedis(config, config.REDIS_URL) : null
  const readCommunityLanguage = () => context.settings.current().default_language
  const server = await createFastifyAppWithSharedHooks(config, redis, readCommunityLanguage, options)
  const { app } = server
  const { log } = app
  const retryDelays = options.jobRetryDelays
  const versions = redis ? await startRedisTableVersions(db, redis, log) : undefined
  const queryCaches = createQueryCacheFactory(database, versions)
  const contacts =
    features.find((feature) => feature.createContactRules)?.createContactRules?.(() => context) ??
    allowAllContactRules
  const visibility = createRealtimeVisibilityRules({ db, queryCaches, contacts })
  const realtime = await createRealtimeServer(
    config,
    app.server,
    log,
    redis,
    visibility,
    new WebhookQueue(config, db, log),
    server.limits.memberOf,
    options.realtime,
  )
  const network = options.publicNetwork ?? realPublicInternetConnector
  await keepAuditLog(db, config.AUDIT_LOG_KEY, config.DATA_DIR, log)
  const parts = { config, log, db, queryCaches, redis, realtime, storage, contacts, publicNetwork: network }
  const context = await createAppContext(parts, features, options)
  const webhookJobs = startWebhookJobRunner(config, db, log, retryDelays)
  app.addHook('onRequest', createSetupHostCheckHook(context))
  addPagesVersionToResponses(app, frontend)
  const endpoints = createEndpointRouter(
    server,
    createRequestSessionAndCsrfService(
      config,
      createSessionStoreForLookups(context, sessionSecondStepCheckAndTablesItReads),
      context.settings,
    ),
    context,
  )

  const queues = { passwords: getNumberOfWaitingPasswordHashes, pictures: context.media.queueLength }
  const readers = { queues, countMembers: () => countMembers(db) }
  await serveMetrics(app, context, database, readers, versions?.cacheCounts)
  endpoints.serve(realtimeEndpoints, realtimeEndpointHandlers)
  await servePusherHttpApi(server, realtime, config, redis)
  for (const feature of features) {
    const { contracts = {}, routes, channels, guards, createPresencePeerReader } = feature
    const handlers = routes?.(context, features) ?? {}
    for (const [name, contract] of Object.entries(contracts))
      endpoints.serve(contract, handlers[name]!, (me) => isFeatureOnFor(feature, context, me))
    if (channels) realtime.addChannels(channels, guards?.(context) ?? {})
    if (createPresencePeerReader) realtime.setPresencePeerReader(createPresencePeerReader(context))
  }
  serveOpenApi(app, endpoints, context, createContractFinder(features, context))
  serveHealthEndpoints(app, context, storage)
  const mediaGuards = features.map((feature) => feature.mediaGuards?.(context) ?? {})
  const access = createMediaAccessControl(context, mediaGuards)
  await serveMedia(app, { ...context, access, openSession: endpoints.openSession })
  await servePagesAndStaticFiles(server, endpoints, context, frontend, features)

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

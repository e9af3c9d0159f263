import { migrations as backups } from '#core/backup/nightly.ts'
import type { Config } from '#core/config.ts'
import { createQueryCaches } from '#core/database/cache.ts'
import type { Database, Migrations } from '#core/database/database.ts'
import { serveHealth } from '#core/http/health.ts'
import { serveMetrics } from '#core/http/metrics.ts'
import { type Site, servePages } from '#core/http/pages.ts'
import { type AppContext, createHttpServer, type HttpServerOptions } from '#core/http/server.ts'
import { createLocks, createSharedLocks, type WithLock } from '#core/locks.ts'
import { migrations as mail, startMail } from '#core/mail/outbox.ts'
import { migrations as media, openMedia } from '#core/media/lifecycle.ts'
import { serveMedia } from '#core/media/routes.ts'
import { closeStorage, openStorage } from '#core/media/storage.ts'
import { realtimeEndpoints, realtimeRoutes, servePublisherApi } from '#core/realtime/http-api.ts'
import { createRealtime, type RealtimeOptions } from '#core/realtime/server.ts'
import { openRedis } from '#core/redis.ts'
import { migrations as secrets } from '#core/secrets.ts'
import { admin } from '#features/admin/contract.ts'
import { routes as adminRoutes } from '#features/admin/routes.ts'
import { chat, channels as chatChannels, groups } from '#features/chat/contract.ts'
import { guards as chatGuards, chatRoutes, groupRoutes } from '#features/chat/routes.ts'
import { migrations as chatTables } from '#features/chat/tables.ts'
import { people } from '#features/people/contract.ts'
import { grantNamed } from '#features/people/model.ts'
import { queuedPasswordHashes } from '#features/people/passwords.ts'
import { routes as peopleRoutes } from '#features/people/routes.ts'
import { forgetOldSessions, openSessions } from '#features/people/sessions.ts'
import { migrations as peopleTables } from '#features/people/tables.ts'
import { posts } from '#features/posts/contract.ts'
import { routes as postRoutes } from '#features/posts/routes.ts'
import { migrations as postTables } from '#features/posts/tables.ts'
import { publicChat } from '#features/public-chat/contract.ts'
import { routes as plazaRoutes } from '#features/public-chat/routes.ts'
import { shop } from '#features/shop/contract.ts'
import { routes as shopRoutes } from '#features/shop/routes.ts'
import { migrations as shopTables } from '#features/shop/tables.ts'
import { pages } from '#web/pages.ts'

export const migrations: readonly Migrations[] = [
  secrets,
  mail,
  media,
  backups,
  peopleTables,
  postTables,
  chatTables,
  shopTables,
]
const lasting = { realtime: realtimeEndpoints, people, posts, chat, groups, admin }
export const contracts = { ...lasting, shop, publicChat }

export interface AppOptions extends HttpServerOptions {
  config: Config
  database: Database
  site: Site
  /** Waits between tries of a mail, ms. */
  mailWaits?: readonly number[]
  realtime?: RealtimeOptions
}

/** THE list: every feature, on one server that does not listen yet. Its database has been migrated. */
export async function buildApp({ config, database, site, mailWaits, realtime, ...options }: AppOptions) {
  const { db } = database
  const store = await openStorage(config)
  const redis = config.REDIS_URL ? await openRedis(config, config.REDIS_URL) : null
  const withLock: WithLock = redis
    ? createSharedLocks(redis, () => context.realtime.flushed())
    : createLocks()
  const context = {
    db,
    queryCaches: createQueryCaches(database),
    config,
    redis,
    withLock,
    site: { origin: config.PUBLIC_URL ?? `http://localhost:${config.PORT}` },
  } as AppContext
  const web = await createHttpServer(context, openSessions(context), options)
  const about = { dataFolder: config.DATA_DIR, origin: config.PUBLIC_URL ?? '', alone: !config.REDIS_URL }
  context.media = openMedia(db, store, about, web.app.log)
  context.mail = startMail(db, config, web.app.log, mailWaits)
  context.realtime = await createRealtime(config, web.app.server, web.app.log, redis, realtime)
  await serveMetrics(web.app, context, database, {
    passwords: queuedPasswordHashes,
    pictures: context.media.waiting,
  })

  web.serve(realtimeEndpoints, realtimeRoutes)
  await servePublisherApi(web, context.realtime, config)
  web.serve(people, peopleRoutes)
  web.serve(posts, postRoutes(context))
  web.serve(chat, chatRoutes)
  web.serve(groups, groupRoutes)
  context.realtime.addGuards(chatChannels, chatGuards(context))
  web.serve(admin, adminRoutes)
  if (config.DEMO) {
    web.serve(shop, shopRoutes)
    web.serve(publicChat, plazaRoutes)
  }

  let document: string | undefined
  web.app.get('/api/openapi.json', { onRequest: web.enter }, async (_, reply) => {
    const { openApi } = await import('#core/http/openapi.ts')
    document ??= JSON.stringify(openApi(config.APP_NAME, config.DEMO ? contracts : lasting))
    return reply.type('application/json').send(document)
  })
  serveHealth(web.app, context, store)
  await serveMedia(web.app, store)
  await servePages(web, context, {
    site,
    pages: pages.filter(({ demo }) => config.DEMO || !demo),
    always: [people.me, chat.unread],
  })

  web.app.addHook('onReady', async () => {
    await grantNamed(db, config)
    await forgetOldSessions(db)
    const { aside, back } = await context.media.sweep()
    if (aside || back)
      web.app.log.warn(
        { aside, back },
        'Files that no post and no profile speaks of were laid aside in orphans, or came back from there',
      )
  })
  web.app.addHook('preClose', () => context.realtime.close())
  web.app.addHook('onClose', async () => {
    await context.mail.close()
    await context.media.close()
    await redis?.close()
    closeStorage(store)
  })
  return { app: web.app, web, context }
}

import type { Config } from '#core/config.ts'
import type { Database, Migrations } from '#core/database.ts'
import { type House, openWeb, type WebOptions } from '#core/http.ts'
import { type LiveOptions, openLive } from '#core/live.ts'
import { liveCalls, liveRoutes, servePublishers } from '#core/live-http.ts'
import { migrations as mail, startMail } from '#core/mail.ts'
import { migrations as media, openMedia } from '#core/media.ts'
import { openApi } from '#core/openapi.ts'
import { type Site, servePages } from '#core/pages.ts'
import { admin } from '#features/admin/contract.ts'
import { routes as adminRoutes } from '#features/admin/routes.ts'
import { chat, channels as chatChannels, groups } from '#features/chat/contract.ts'
import { guards as chatGuards, chatRoutes, groupRoutes } from '#features/chat/routes.ts'
import { migrations as chatTables } from '#features/chat/tables.ts'
import { people } from '#features/people/contract.ts'
import { grantNamed } from '#features/people/model.ts'
import { routes as peopleRoutes } from '#features/people/routes.ts'
import { forgetOldSessions, openSessions } from '#features/people/sessions.ts'
import { migrations as peopleTables } from '#features/people/tables.ts'
import { plaza } from '#features/plaza/contract.ts'
import { routes as plazaRoutes } from '#features/plaza/routes.ts'
import { posts } from '#features/posts/contract.ts'
import { routes as postRoutes } from '#features/posts/routes.ts'
import { migrations as postTables } from '#features/posts/tables.ts'
import { shop } from '#features/shop/contract.ts'
import { routes as shopRoutes } from '#features/shop/routes.ts'
import { migrations as shopTables } from '#features/shop/tables.ts'
import { pages } from '#web/pages.ts'

export const migrations: readonly Migrations[] = [mail, media, peopleTables, postTables, chatTables, shopTables]
const lasting = { live: liveCalls, people, posts, chat, groups, admin }
export const contracts = { ...lasting, shop, plaza }

export interface AppOptions extends WebOptions {
  config: Config
  database: Database
  site: Site
  /** Waits between tries of a mail, ms. */
  mailWaits?: readonly number[]
  live?: LiveOptions
}

/** THE list: every feature, on one server that does not listen yet. Its database has been migrated. */
export async function buildApp({ config, database: { db }, site, mailWaits, live, ...options }: AppOptions) {
  const kept = openMedia(db, config.DATA_DIR, config.PUBLIC_URL ?? '')
  const house = { db, config, media: kept, site: { origin: config.PUBLIC_URL ?? `http://localhost:${config.PORT}` } } as House
  const web = await openWeb(house, openSessions(db), options)
  house.mail = startMail(db, config, web.app.log, mailWaits)
  house.live = openLive(config, web.app.server, web.app.log, live)

  web.serve(liveCalls, liveRoutes)
  await servePublishers(web, house.live, config)
  web.serve(people, peopleRoutes)
  web.serve(posts, postRoutes)
  web.serve(chat, chatRoutes)
  web.serve(groups, groupRoutes)
  house.live.guard(chatChannels, chatGuards(house))
  web.serve(admin, adminRoutes)
  if (config.DEMO) {
    web.serve(shop, shopRoutes)
    web.serve(plaza, plazaRoutes)
  }

  const document = JSON.stringify(openApi(config.APP_NAME, config.DEMO ? contracts : lasting))
  web.app.get('/api/openapi.json', { onRequest: web.enter }, (_, reply) => reply.type('application/json').send(document))
  web.app.get('/healthz', () => ({ status: 'ok' }))
  await servePages(web, house, { site, pages: pages.filter(({ demo }) => config.DEMO || !demo), always: [people.me, chat.unread] })

  web.app.addHook('onReady', async () => {
    await grantNamed(db, config)
    await forgetOldSessions(db)
    const { aside, back } = await kept.sweep()
    if (aside || back)
      web.app.log.warn({ aside, back }, 'Files that no post and no profile speaks of were laid aside in orphans, or came back from there')
  })
  web.app.addHook('preClose', () => house.live.close())
  web.app.addHook('onClose', () => house.mail.close())
  return { app: web.app, web, house }
}

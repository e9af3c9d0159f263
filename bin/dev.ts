import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createServer as createVite } from 'vite'
import type { AppOptions } from '#app.ts'
import { transaction } from '#core/database/transaction.ts'
import { fileVariableOf } from '#core/environment/secret-files.ts'
import type { Frontend } from '#core/http/frontend.ts'
import { DEMO_PASSWORD, demoMembers } from '#demo/members.ts'
import { seedDemoCommunityIfEmpty } from '#demo/seed.ts'
import * as sessions from '#features/people/sessions.ts'
import { exitWithError, startApp } from '#main.ts'

process.env.DATA_DIR ??= './data/dev'
process.env.RATE_LIMIT ??= 'off'
// Removes these settings, because the demo community must not use the database and storage of a real
// community, and must not send mail.
for (const name of ['DATABASE_URL', 'REDIS_URL', 'MEDIA_URL', 'SMTP_URL', 'ADMIN_EMAIL', 'PUBLIC_URL'])
  for (const variable of [name, fileVariableOf(name)]) delete process.env[variable]
process.env.LOG_LEVEL ??= 'warn'
process.env.HOST ??= 'localhost'

const index = join(import.meta.dirname, '../web/index.html')
let handle: Parameters<NonNullable<AppOptions['serverFactory']>>[0]
const server = createServer((request, response) =>
  vite.middlewares(request, response, () => handle(request, response)),
)
const vite = await createVite({
  configLoader: 'native',
  appType: 'custom',
  server: { middlewareMode: true, hmr: { server } },
})

const frontend: Frontend = {
  html: async (url) => vite.transformIndexHtml(url, await readFile(index, 'utf8')),
  assetsOf: () => ({ scripts: [], styles: [] }),
  folder: null,
  version: 'development',
}

try {
  const { context } = await startApp({
    frontend,
    serverFactory: (handler) => {
      handle = handler
      return server
    },
    beforeListen: async ({ app, endpoints, context }) => {
      await seedDemoCommunityIfEmpty(context)
      app.addHook('onClose', () => vite.close())
      app.get('/dev', (_, reply) => reply.type('text/html').send(castPage()))
      app.get('/dev/as/:id', { onRequest: endpoints.openSession }, async (request, reply) => {
        const id = Number((request.params as { id: string }).id)
        await transaction(context.db, (tx) => sessions.add(tx, id, request.session!.renew()))
        return reply.redirect('/')
      })
    },
  })
  console.log(
    `Log in as any member with one click: ${context.publicSite.origin}/dev (the password is ${DEMO_PASSWORD})`,
  )
  for (const [index, { name }] of demoMembers.slice(0, 3).entries())
    console.log(`  ${name}: ${context.publicSite.origin}/dev/as/${index + 1}`)
} catch (error) {
  exitWithError(error)
}

const castPage = () => {
  const links = demoMembers.map(({ name }, index) => `<li><a href="/dev/as/${index + 1}">${name}</a></li>`)
  const head = '<!doctype html><meta charset="utf-8"><title>Cast</title>'
  return `${head}<h1>Log in as</h1><ul>${links.join('')}</ul>`
}

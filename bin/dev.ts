import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createServer as createVite } from 'vite'
import type { AppOptions } from '#app.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Site } from '#core/http/pages.ts'
import { cast, password } from '#demo/cast.ts'
import { fill } from '#demo/fill.ts'
import { openSession } from '#features/people/sessions.ts'
import { explain, start } from '#main.ts'

process.env.DATA_DIR ??= './data/dev'
process.env.RATE_LIMIT ??= 'off'
// The demo community uses no database and no storage of real people, and sends no mail.
for (const name of ['DATABASE_URL', 'REDIS_URL', 'MEDIA_URL', 'SMTP_URL', 'ADMIN_EMAIL', 'PUBLIC_URL'])
  delete process.env[name]
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

const site: Site = {
  html: async (url) => vite.transformIndexHtml(url, await readFile(index, 'utf8')),
  needs: () => ({ scripts: [], styles: [] }),
  folder: null,
}

try {
  const { context } = await start({
    site,
    serverFactory: (handler) => {
      handle = handler
      return server
    },
    prepare: async ({ app, endpoints, context }) => {
      await fill(context)
      app.addHook('onClose', () => vite.close())
      app.get('/dev', (_, reply) => reply.type('text/html').send(castPage()))
      app.get('/dev/as/:id', { onRequest: endpoints.openSession }, async (request, reply) => {
        const id = Number((request.params as { id: string }).id)
        await transaction(context.db, (tx) => openSession(tx, id, request.session!.renew()))
        return reply.redirect('/')
      })
    },
  })
  console.log(`Log in as any member with one click: ${context.site.origin}/dev (the password is ${password})`)
  for (const [index, { name }] of cast.slice(0, 3).entries())
    console.log(`  ${name}: ${context.site.origin}/dev/as/${index + 1}`)
} catch (error) {
  explain(error)
}

const castPage = () => {
  const links = cast.map(({ name }, index) => `<li><a href="/dev/as/${index + 1}">${name}</a></li>`)
  const head = '<!doctype html><meta charset="utf-8"><title>Cast</title>'
  return `${head}<h1>Log in as</h1><ul>${links.join('')}</ul>`
}

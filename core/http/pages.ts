import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BadSetting, type Config } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { type FirstPicture, fillPath, type Lang, type Page } from '#core/contract.ts'
import type { Endpoints } from '#core/http/endpoints.ts'
import { errors, HttpError, toHttpError } from '#core/http/errors.ts'
import { refuseUnknown } from '#core/http/not-found.ts'
import type { HttpServer } from '#core/http/server.ts'
import { escapeHtml } from '#core/i18n.ts'
import { immutable } from '#core/media/routes.ts'
import type { FeatureModule } from '#core/module.ts'

/** The built site: the HTML that every page begins with, and the files that a view needs at once. */
export interface Site {
  html(url: string): Promise<string> | string
  /** `posts/PostListPage` → the scripts and styles to fetch together with the page. */
  needs(view: string): { scripts: readonly string[]; styles: readonly string[] }
  /** Folder of files to serve as they are; null where something else serves them. */
  folder: string | null
}

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

/**
 * Reads the files of `vite build` that a page loads before it is drawn: those of the entry, which all pages
 * load, and those of a view. Throws BadSetting where nothing is built.
 */
export function loadBuiltFiles(folder: string) {
  const manifest = join(folder, '.vite/manifest.json')
  if (![join(folder, 'index.html'), manifest].every((file) => existsSync(file)))
    throw new BadSetting('The pages are not built: run `npm run build`.')
  const chunks = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, Chunk>
  const withImports = (name: string, seen = new Set<string>()): Set<string> => {
    if (!chunks[name] || seen.has(name)) return seen
    seen.add(name)
    for (const imported of chunks[name].imports ?? []) withImports(imported, seen)
    return seen
  }
  const filesOf = (names: readonly string[]) => ({
    scripts: names.map((name) => `/${chunks[name]!.file}`),
    styles: names.flatMap((name) => (chunks[name]!.css ?? []).map((file) => `/${file}`)),
  })
  const entry = withImports('index.html')
  return {
    entry: filesOf([...entry]),
    needs: (view: string) =>
      filesOf(
        [...withImports(`../features/${view.replace('/', '/web/')}.tsx`)].filter((name) => !entry.has(name)),
      ),
  }
}

/** Reads the pages that `vite build` made. Throws BadSetting where nothing is built. */
export function loadBuiltSite(folder: string): Site {
  const { needs } = loadBuiltFiles(folder)
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  return { html: () => html, folder, needs }
}

const MANIFEST = 'site.webmanifest'

interface PageServices {
  answer: Endpoints['answer']
  config: Config
  site: Site
  features: readonly FeatureModule[]
}

/** Serves the pages of the running features and their files, and answers 404 for every other address. */
export async function servePages(
  { app, methodsOf, limits }: HttpServer,
  { openSession, answer }: Endpoints,
  { config }: AppContext,
  site: Site,
  features: readonly FeatureModule[],
) {
  const services = { answer, config, site, features }
  if (site.folder) await serveFiles(app, site.folder, config.APP_NAME)
  app.get('/robots.txt', (_, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(robots),
  )
  for (const page of features.flatMap(({ pages = [] }) => pages))
    app.route({
      method: 'GET',
      url: page.path,
      onRequest: openSession,
      handler: (request, reply) => showPage(services, page, request, reply),
      errorHandler: (error, request, reply) => showError(services, error, request, reply),
    })
  refuseUnknown(app, methodsOf, limits.flood)
  app.setNotFoundHandler(async (request, reply) => {
    if (!wantsPage(request)) throw errors.notFound()
    await openSession(request, reply)
    return showPage(services, null, request, reply.status(404))
  })
}

async function serveFiles(app: FastifyInstance, root: string, name: string) {
  const manifest = { ...JSON.parse(readFileSync(join(root, MANIFEST), 'utf8')), name, short_name: name }
  app.get(`/${MANIFEST}`, (_, reply) =>
    reply.type('application/manifest+json').header('cache-control', 'public, max-age=3600').send(manifest),
  )
  const options = { decorateReply: false, index: false, preCompressed: true, cacheControl: false } as const
  await app.register(fastifyStatic, {
    ...options,
    root,
    wildcard: false,
    globIgnore: ['index.html', MANIFEST, `${MANIFEST}.*`, '.*/**', 'assets/**', '**/*.br', '**/*.gz'],
    setHeaders: (reply) => reply.header('cache-control', 'public, max-age=3600'),
  })
  // One wildcard route for all assets: a route for each would take a tenth of the start.
  await app.register(fastifyStatic, {
    ...options,
    root: join(root, 'assets'),
    prefix: '/assets/',
    setHeaders: (reply) => reply.header('cache-control', immutable),
  })
}

/** Sends a page with its first data; `page` is null where there is no such page. */
async function showPage(
  services: PageServices,
  page: Page | null,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { features, answer } = services
  const { lang } = request.session!
  const params = page ? (request.params as Record<string, string>) : {}
  const parts = features.flatMap(({ pageParts = [] }) => pageParts)
  const shown = page ? [page, ...parts.filter(({ path }) => path === page.path)] : []
  const everyPage = features.flatMap(({ initialData = [] }) => initialData)
  const first = []
  for (const endpoint of [...everyPage, ...shown.flatMap((part) => part.first ?? [])]) {
    const answered = await answer(endpoint, request, params).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error
      // A page about something that does not exist does not exist either.
      if ([404, 422].includes(error.status) && endpoint === page?.first?.[0]) reply.status(404)
      return null
    })
    if (answered) first.push({ url: fillPath(endpoint.path, params), ...answered })
  }
  const main = page?.first?.[0] && first.find(({ url }) => url === fillPath(page.first![0]!.path, params))
  // Search engines need no page that is empty or only asks to log in.
  if (!main) reply.header('x-robots-tag', 'noindex')
  return send(services, request, reply, {
    lang,
    title: page?.title[lang],
    about: main && page.about?.(main.body as never, lang),
    canonical: page && fillPath(page.canonical ?? page.path, params),
    fault: null,
    first,
    views: shown.map(({ view }) => view),
    picture: main && page.picture?.(main.body as never),
  })
}

/** Sends the error page. It shows the id of the request, by which the log has the reason. */
function showError(services: PageServices, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = toHttpError(error)
  if (!known || known.status >= 500) request.log.error({ err: error, id: request.id }, 'A page failed')
  return send(services, request, reply.status(known?.status ?? 500), {
    lang: request.session?.lang ?? 'en',
    title: undefined,
    about: null,
    canonical: null,
    fault: request.id,
    first: [],
    views: [],
  })
}

interface Shown {
  lang: Lang
  title: string | undefined
  about: string | null | undefined
  canonical: string | null
  fault: string | null
  first: unknown[]
  views: readonly string[]
  picture?: FirstPicture | undefined
}
async function send(
  { config, site, features }: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { lang, title, about, canonical, fault, first, views, picture }: Shown,
) {
  const { APP_NAME: name, PUBLIC_URL, PUSHER_APP_KEY: key } = config
  const app = {
    name,
    year: new Date().getFullYear(),
    key,
    features: features.map((feature) => feature.name),
    mail: config.SMTP_URL !== undefined,
  }
  const boot = { app, lang, theme: themeOf(request), status: reply.statusCode, fault, first }
  reply
    .header('cache-control', 'private, no-cache')
    .header('vary', 'cookie, accept-language')
    .type('text/html; charset=utf-8')
  if (reply.statusCode >= 400) reply.header('x-robots-tag', 'noindex')
  const files = views.map((view) => site.needs(view))
  const needs = {
    scripts: [...new Set(files.flatMap(({ scripts }) => scripts))],
    styles: [...new Set(files.flatMap(({ styles }) => styles))],
  }
  const head = {
    title: title ? `${title} – ${name}` : name,
    about: about ? shortened(about) : motto[lang],
    // Without PUBLIC_URL the server does not know its public name.
    canonical: PUBLIC_URL && canonical && reply.statusCode < 400 ? PUBLIC_URL + canonical : null,
  }
  return reply.send(filled(await site.html(request.url), { ...head, boot, needs, picture }))
}

/** Whether a browser navigates to the address. A script would ask for data or a file. */
const wantsPage = (request: FastifyRequest) =>
  !/^\/(api|sanctum|media|assets)([/?]|$)/.test(request.url) &&
  /text\/html/.test(request.headers.accept ?? '')

const themeOf = ({ cookies: { theme } }: FastifyRequest) =>
  theme === 'light' || theme === 'dark' ? theme : null

interface Filling {
  title: string
  about: string
  canonical: string | null
  boot: { app: { name: string }; lang: Lang; theme: string | null }
  needs: { scripts: readonly string[]; styles: readonly string[] }
  picture?: FirstPicture | undefined
}

const preload = ({ path, srcset, sizes }: FirstPicture) =>
  `<link rel="preload" as="image" fetchpriority="high" href="${escapeHtml(path)}" imagesrcset="${escapeHtml(srcset)}" imagesizes="${escapeHtml(sizes)}">`

const motto = {
  en: 'A place to sit, for people who know each other.',
  ja: '知り合いどうしが、ひと息つける場所。',
}
/** The length that search engines show. */
const ABOUT = 160
const shortened = (text: string) => [...text.replace(/\s+/g, ' ')].slice(0, ABOUT).join('')

/** Crawlers may read all pages: each page says whether it may be indexed. */
const robots = 'User-agent: *\nDisallow: /api/\n'

const loading = { en: 'Loading...', ja: '読み込み中…' }

function filled(html: string, { title, about, canonical, boot, needs, picture }: Filling) {
  const links = [
    ...(canonical ? [`<link rel="canonical" href="${escapeHtml(canonical)}">`] : []),
    ...(picture ? [preload(picture)] : []),
    ...needs.styles.map((file) => `<link rel="stylesheet" href="${file}">`),
    ...needs.scripts.map((file) => `<link rel="modulepreload" href="${file}">`),
  ].join('')
  // A data block (HTML, 4.12.1) never runs, so the strictest policy allows it. `<` is escaped, so that no
  // text can end the block.
  const data = `<script type="application/json" id="boot">${JSON.stringify(boot).replaceAll('<', '\\u003c')}</script>`
  return html
    .replace(loading.en, loading[boot.lang])
    .replace(
      '<html lang="en">',
      () => `<html lang="${boot.lang}"${boot.theme ? ` data-theme="${boot.theme}"` : ''}>`,
    )
    .replace(/<title>.*?<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace(
      /(<meta name="description" content=").*?"/,
      (_, start: string) => `${start}${escapeHtml(about)}"`,
    )
    .replace('</head>', () => `${links}</head>`)
    .replace('<span>Engawa</span>', () => `<span>${escapeHtml(boot.app.name)}</span>`)
    .replace('</body>', () => `${data}</body>`)
}

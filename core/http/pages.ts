import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BadSetting } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { type FirstPicture, fillPath, type Lang, type Page } from '#core/contract.ts'
import type { Endpoints } from '#core/http/endpoints.ts'
import { errors, HttpError, toHttpError } from '#core/http/errors.ts'
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

/** What a page needs before it is drawn, out of what `vite build` left: of the entry, which all pages begin with, and of a view besides. Throws where nothing is built. */
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

/** Reads what `vite build` left. Throws when it is not there. */
export function loadBuiltSite(folder: string): Site {
  const { needs } = loadBuiltFiles(folder)
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  return { html: () => html, folder, needs }
}

const MANIFEST = 'site.webmanifest'

/** Serves the pages of the running features and their files, and answers 404 for every other address. */
export async function servePages(
  { app, methodsOf }: HttpServer,
  { openSession, answer }: Endpoints,
  context: AppContext,
  site: Site,
  features: readonly FeatureModule[],
) {
  const parts = features.flatMap(({ pageParts = [] }) => pageParts)
  const everyPage = features.flatMap(({ initialData = [] }) => initialData)
  if (site.folder) {
    serveManifest(site.folder)
    const files = { decorateReply: false, index: false, preCompressed: true, cacheControl: false } as const
    await app.register(fastifyStatic, {
      ...files,
      root: site.folder,
      wildcard: false,
      globIgnore: ['index.html', MANIFEST, `${MANIFEST}.*`, '.*/**', 'assets/**', '**/*.br', '**/*.gz'],
      setHeaders: (reply) => reply.header('cache-control', 'public, max-age=3600'),
    })
    // These are many: a route for each would be a tenth of a start.
    await app.register(fastifyStatic, {
      ...files,
      root: join(site.folder, 'assets'),
      prefix: '/assets/',
      setHeaders: (reply) => reply.header('cache-control', immutable),
    })
  }

  app.get('/robots.txt', (_, reply) =>
    reply.type('text/plain').header('cache-control', 'public, max-age=3600').send(robots),
  )

  for (const page of features.flatMap(({ pages = [] }) => pages))
    app.route({
      method: 'GET',
      url: page.path,
      onRequest: openSession,
      handler: (request, reply) => show(request, reply, page, request.params as Record<string, string>),
      errorHandler: showFault,
    })

  app.setNotFoundHandler(async (request, reply) => {
    const [path] = request.url.split('?') as [string]
    const methods = methodsOf(path)
    if (methods.length && !methods.includes(request.method)) {
      reply.header('allow', methods.join(', '))
      throw new HttpError(405, {
        en: `This address takes ${methods.join(', ')}.`,
        ja: `このアドレスで使えるのは${methods.join('、')}です。`,
      })
    }
    if (!wantsPage(request, path)) throw errors.notFound()
    await openSession(request, reply)
    return show(request, reply.status(404), null, {})
  })

  /** Put on a phone's first screen, the site has its own name. */
  function serveManifest(folder: string) {
    const { APP_NAME: name } = context.config
    const manifest = { ...JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')), name, short_name: name }
    app.get(`/${MANIFEST}`, (_, reply) =>
      reply.type('application/manifest+json').header('cache-control', 'public, max-age=3600').send(manifest),
    )
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    page: Page | null,
    params: Record<string, string>,
  ) {
    const visit = request.session!
    const shown = page ? [page, ...parts.filter(({ path }) => path === page.path)] : []
    const first = []
    for (const endpoint of [...everyPage, ...shown.flatMap((part) => part.first ?? [])]) {
      const answered = await answer(endpoint, request, params).catch((error: unknown) => {
        if (!(error instanceof HttpError)) throw error
        // A page about something that is not there is not there either.
        if ([404, 422].includes(error.status) && endpoint === page?.first?.[0]) reply.status(404)
        return null
      })
      if (answered) first.push({ url: fillPath(endpoint.path, params), ...answered })
    }
    const main = page?.first?.[0] && first.find(({ url }) => url === fillPath(page.first![0]!.path, params))
    // Search engines need no page that is empty or only asks to log in.
    if (!main) reply.header('x-robots-tag', 'noindex')
    return send(request, reply, {
      lang: visit.lang,
      title: page?.title[visit.lang],
      about: main && page.about?.(main.body as never, visit.lang),
      canonical: page && fillPath(page.canonical ?? page.path, params),
      fault: null,
      first,
      views: shown.map(({ view }) => view),
      picture: main && page.picture?.(main.body as never),
    })
  }

  /** Our fault, told by a page: the id leads to the reason in the log. */
  function showFault(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const refusal = toHttpError(error)
    if (!refusal || refusal.status >= 500) request.log.error({ err: error, id: request.id }, 'A page failed')
    return send(request, reply.status(refusal?.status ?? 500), {
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
    request: FastifyRequest,
    reply: FastifyReply,
    { lang, title, about, canonical, fault, first, views, picture }: Shown,
  ) {
    const { APP_NAME: name, PUBLIC_URL } = context.config
    const app = {
      name,
      year: new Date().getFullYear(),
      key: context.config.PUSHER_APP_KEY,
      features: features.map((feature) => feature.name),
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
      // Without PUBLIC_URL nobody knows under which name the world sees this.
      canonical: PUBLIC_URL && canonical && reply.statusCode < 400 ? PUBLIC_URL + canonical : null,
    }
    return reply.send(filled(await site.html(request.url), { ...head, boot, needs, picture }))
  }
}

/** A browser that goes somewhere, as against a script that asks for data or a file. */
const wantsPage = (request: FastifyRequest, path: string) =>
  ['GET', 'HEAD'].includes(request.method) &&
  !/^\/(api|sanctum|media|assets)(\/|$)/.test(path) &&
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
/** As much as search engines show. */
const ABOUT = 160
const shortened = (text: string) => [...text.replace(/\s+/g, ' ')].slice(0, ABOUT).join('')

/** What crawlers may ask for: pages, so that they read on each whether it is something to find. */
const robots = 'User-agent: *\nDisallow: /api/\n'

const loading = { en: 'Loading...', ja: '読み込み中…' }

function filled(html: string, { title, about, canonical, boot, needs, picture }: Filling) {
  const links = [
    ...(canonical ? [`<link rel="canonical" href="${escapeHtml(canonical)}">`] : []),
    ...(picture ? [preload(picture)] : []),
    ...needs.styles.map((file) => `<link rel="stylesheet" href="${file}">`),
    ...needs.scripts.map((file) => `<link rel="modulepreload" href="${file}">`),
  ].join('')
  // A data block (HTML, 4.12.1): never run, so the strictest policy allows it. `<` is written so that no text can end it.
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

import type { FastifyReply, FastifyRequest } from 'fastify'
import * as pictures from '#core/community/picture.ts'
import { DEFAULT_POST_LENGTH, limitChoices, type SettingValues } from '#core/community/settings-contract.ts'
import type { AppContext } from '#core/context.ts'
import { type Endpoint, fillPath, type Language } from '#core/contract.ts'
import { type FeatureModule, type InlinedCall, isFeatureOn, isFeatureOnFor } from '#core/feature/module.ts'
import type { ServerPage } from '#core/feature/pages.ts'
import { serveAccents } from '#core/http/accent-style-sheets.ts'
import type { EndpointRouter } from '#core/http/endpoints.ts'
import { HttpError, httpErrors, toHttpError } from '#core/http/errors.ts'
import type { Frontend } from '#core/http/frontend.ts'
import { opensMissingFile } from '#core/http/missing-files.ts'
import { type InlinedResponse, renderPage } from '#core/http/page-html.ts'
import { createRedirectFinder, redirectToLogIn } from '#core/http/page-redirects.ts'
import { SerializedJson } from '#core/http/pagination.ts'
import type { Server } from '#core/http/server.ts'
import { requestLanguage } from '#core/http/session.ts'
import { serveStaticFiles } from '#core/http/static-files.ts'
import { answerUnknownRoutes } from '#core/http/unknown-routes.ts'
import { defaultDescription } from '#core/http/web-manifest.ts'
import type { PreloadImage } from '#core/media/preload.ts'
import { excerpt } from '#core/text/format.ts'

interface PageServices extends Pick<AppContext, 'config' | 'settings' | 'publicSite' | 'media'> {
  answer: EndpointRouter['answer']
  frontend: Frontend
  features: readonly FeatureModule[]
  findRequiredPage: ReturnType<typeof createRedirectFinder>
}

/**
 * Serves the pages of the features, the static files, robots.txt and the accent style sheets. Responds with
 * 404 to every other address and to the pages of a feature that is off for the reader, and with 405 to a
 * method that a known address does not have.
 */
export async function servePages(
  server: Server,
  { openSession, answer }: EndpointRouter,
  context: AppContext,
  frontend: Frontend,
  features: readonly FeatureModule[],
) {
  const { app, methodsOf, limits, turns } = server
  const { config, settings, publicSite, media } = context
  const findRequiredPage = createRedirectFinder(context, features)
  const services = { answer, config, settings, publicSite, media, frontend, features, findRequiredPage }
  if (frontend.folder) await serveStaticFiles(app, frontend.folder, context, features)
  app.get('/robots.txt', (_, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(settings.isMembersOnly() ? robots.membersOnly : robots.open),
  )
  serveAccents(server)
  for (const feature of features)
    for (const page of feature.pages ?? [])
      app.route({
        method: 'GET',
        url: page.path,
        onRequest: openSession,
        preHandler: turns,
        handler: async (request, reply) =>
          (await isFeatureOnFor(feature, context, request.session!.me))
            ? showPage(services, page, request, reply)
            : showPage(services, null, request, reply.status(404)),
        errorHandler: (error, request, reply) => showError(services, error, request, reply),
      })
  answerUnknownRoutes(app, methodsOf, limits.limitRequests)
  app.setNotFoundHandler({ preHandler: turns }, async (request, reply) => {
    if (!wantsPage(request)) throw httpErrors.notFound()
    if (!request.session) await openSession(request, reply)
    return showPage(services, null, request, reply.status(404))
  })
}

/** Whether the request comes from a visitor, and only members may read the community. */
const isStranger = ({ settings }: PageServices, { session }: FastifyRequest) =>
  !session?.me && settings.isMembersOnly()

/**
 * Sends a page with its initial data, or a redirect to the log-in page or to a page that the member has to
 * see first. `page` is null for an unknown address and for a page of a feature that is off.
 */
async function showPage(
  services: PageServices,
  page: ServerPage | null,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (isStranger(services, request) && !page?.isForVisitors) return redirectToLogIn(request, reply)
  const required = await services.findRequiredPage(request, page)
  if (required !== null) return reply.redirect(required, 302)
  const { features, answer } = services
  const { lang } = request.session!
  const params = page ? (request.params as Record<string, string>) : {}
  const sections = features.flatMap(({ pageSections = [] }) => pageSections)
  const shown = page ? [page, ...sections.filter(({ path }) => path === page.path)] : []
  const mainEndpoint = page?.initialData?.[0]
  const everyPage = features.flatMap(({ initialData = [] }) => initialData)
  const call = async ({ endpoint, input }: InlinedCall): Promise<AnsweredCall | null> => {
    const answered = await answer(endpoint, request, { ...input }).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error
      // If the first endpoint of a page responds with 404 or 422, the page responds with 404.
      if ([404, 422].includes(error.status) && endpoint === mainEndpoint) reply.status(404)
      return null
    })
    return answered && { endpoint, answer: { url: fillPath(endpoint.path, input), ...answered } }
  }
  const callAll = async (calls: readonly InlinedCall[]) =>
    (await Promise.all(calls.map(call))).filter((answered) => answered !== null)
  const endpoints = [...everyPage, ...shown.flatMap((part) => part.initialData ?? [])]
  const first = await callAll(
    endpoints.map((endpoint) => ({ endpoint, input: { ...params, ...page?.initialInput } })),
  )
  const bodies = first.map(({ endpoint, answer: { body } }) => ({ endpoint, body: toParsedBody(body) }))
  const further = features.flatMap(({ listFurtherInitialCalls }) => [
    ...(listFurtherInitialCalls?.(bodies, services) ?? []),
  ])
  const initialAnswers = [...first, ...(await callAll(further))].map(({ answer: one }) => one)
  const main = mainEndpoint && bodies.find(({ endpoint }) => endpoint === mainEndpoint)
  // Keeps search engines, which are visitors, from listing pages that are empty or only ask for a log-in.
  if (!main && !page?.isIndexedWithoutData && !request.session!.me) reply.header('x-robots-tag', 'noindex')
  return send(services, request, reply, {
    lang,
    title: page?.title[lang],
    description: main && page?.description?.(main.body as never, lang),
    canonical: page && fillPath(page.canonical ?? page.path, params),
    errorId: null,
    initialAnswers,
    views: shown.map(({ view }) => view),
    picture: findPreloadImage(page, bodies),
  })
}

/** Returns the picture that the page preloads; undefined if it preloads none. */
function findPreloadImage(
  page: ServerPage | null,
  answers: readonly { endpoint: Endpoint; body: unknown }[],
): PreloadImage | undefined {
  for (const { from, find } of page?.preloadImage ?? []) {
    const answer = answers.find(({ endpoint }) => endpoint === from)
    const image = answer && find(answer.body as never)
    if (image !== undefined) return image ?? undefined
  }
  return undefined
}

/** Returns the limits that admins have changed. The browser knows the others. */
const toChangedLimits = ({ max_post_length, max_pictures, max_picture_mb }: SettingValues) => ({
  ...(max_post_length !== DEFAULT_POST_LENGTH && {
    maxPostLength: max_post_length,
  }),
  ...(max_pictures < Math.max(...limitChoices.max_pictures) && { maxPictures: max_pictures }),
  ...(max_picture_mb < Math.max(...limitChoices.max_picture_mb) && { maxPictureMb: max_picture_mb }),
})

/**
 * Sends the error page. It shows the id of the request, by which the operator finds an unexpected error in
 * the log.
 */
function showError(services: PageServices, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = toHttpError(error)
  if (!known || known.status >= 500) request.log.error({ err: error, id: request.id }, 'A page failed')
  return send(services, request, reply.status(known?.status ?? 500), {
    lang: request.session?.lang ?? requestLanguage(request, services.settings.current().default_language),
    title: undefined,
    description: null,
    canonical: null,
    errorId: request.id,
    initialAnswers: [],
    views: [],
  })
}

interface AnsweredCall {
  endpoint: Endpoint
  answer: InlinedResponse
}

const toParsedBody = (body: unknown) => (body instanceof SerializedJson ? body.value : body)

interface PageData {
  lang: Language
  title: string | undefined
  description: string | null | undefined
  canonical: string | null
  errorId: string | null
  initialAnswers: readonly InlinedResponse[]
  views: readonly string[]
  picture?: PreloadImage | undefined
}
async function send(
  services: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { lang, title, description, canonical, errorId, initialAnswers, views, picture }: PageData,
) {
  const { config, settings, publicSite, media, frontend, features } = services
  const communityPicture = settings.picture()
  const { PUBLIC_URL, PUSHER_APP_KEY: key } = config
  const { name } = publicSite
  const app = {
    name,
    year: new Date().getFullYear(),
    key,
    // Names all features to a visitor who may not read the community, even the features that are off, because
    // such a visitor must not learn whether the sample features are on.
    features: features
      .filter((feature) => isStranger(services, request) || isFeatureOn(feature, settings))
      .map((feature) => feature.name),
    mail: config.SMTP_URL !== undefined,
    samples: settings.current().show_samples && !isStranger(services, request),
    join: settings.current().who_can_join,
    lang: settings.current().default_language ?? undefined,
    membersOnly: settings.isMembersOnly(),
    membersInvite: settings.current().who_can_invite === 'members' && !isStranger(services, request),
    ...(settings.current().who_can_create_groups === 'members' &&
      !isStranger(services, request) && { membersCreateGroups: true }),
    ...(settings.current().link_previews && !isStranger(services, request) && { linkPreviews: true }),
    ...(!isStranger(services, request) && toChangedLimits(settings.current())),
    ...(config.MAX_FILE_MB !== 25 && { maxFileMb: config.MAX_FILE_MB }),
    ...(config.MAX_VIDEO_MB !== 100 && { maxVideoMb: config.MAX_VIDEO_MB }),
    ...(communityPicture &&
      !isStranger(services, request) && {
        picture: media.url(communityPicture, pictures.WIDTHS.page),
      }),
  }
  const boot = {
    app,
    version: frontend.version,
    lang,
    theme: themeOf(request),
    text: textOf(request),
    status: reply.statusCode,
    errorId,
  }
  reply
    .header('cache-control', 'private, no-cache')
    .header('vary', 'cookie, accept-language')
    .type('text/html; charset=utf-8')
  if (reply.statusCode >= 400) reply.header('x-robots-tag', 'noindex')
  const files = views.map((view) => frontend.assetsOf(view))
  const assets = {
    scripts: [...new Set(files.flatMap(({ scripts }) => scripts))],
    styles: [...new Set(files.flatMap(({ styles }) => styles))],
  }
  const { accent_colour } = settings.current()
  const head = {
    accent: isStranger(services, request) ? null : accent_colour,
    title: title ? `${title} – ${name}` : name,
    description: description
      ? excerpt(description, MAX_DESCRIPTION).replace(/\s+/g, ' ')
      : defaultDescription[lang],
    // Gives no canonical URL without PUBLIC_URL, because the server does not know its public name then.
    canonical: PUBLIC_URL && canonical && reply.statusCode < 400 ? PUBLIC_URL + canonical : null,
    // Not “Log in”, to which the servers that make previews of links are led.
    linkTitle: isStranger(services, request) || !title ? name : `${title} – ${name}`,
    // Gives the picture only with PUBLIC_URL, because link previews need an absolute URL. Gives none in a
    // members-only community, because the servers that make previews are strangers.
    linkPicture:
      PUBLIC_URL && communityPicture && !settings.isMembersOnly()
        ? media.url(communityPicture, pictures.WIDTHS.icon)
        : null,
  }
  const template = await frontend.html(request.url)
  const data = { ...head, boot, assets, picture }
  return reply.send(renderPage(template, data, initialAnswers))
}

/** Whether a browser opens the address as a page. Other requests are for data or files. */
const wantsPage = (request: FastifyRequest) =>
  opensMissingFile(request) ||
  (!/^\/(api|sanctum|media|assets)([/?]|$)/.test(request.url) &&
    /text\/html/.test(request.headers.accept ?? ''))

const themeOf = ({ cookies: { theme } }: FastifyRequest) =>
  theme === 'light' || theme === 'dark' ? theme : null

/** Per cent of the browser's own size; null for that. */
const textOf = ({ cookies: { text } }: FastifyRequest) =>
  text === '115' || text === '130' || text === '150' ? text : null

/** The maximum length of a description in characters: search engines show no more. */
const MAX_DESCRIPTION = 160

/**
 * The texts of robots.txt. In an open community crawlers may read all pages, because each page says whether
 * it may be indexed.
 */
const robots = { open: 'User-agent: *\nDisallow: /api/\n', membersOnly: 'User-agent: *\nDisallow: /\n' }

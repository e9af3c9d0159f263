import { createAccentStyleSheet } from '#core/accent-colour.ts'
import { memoizeByStringKey } from '#core/database/cache.ts'
import type { FastifyAppAndRouteHooks } from '#core/http/server.ts'

/** The number of style sheets that stay in memory. A community uses one, and admins try several. */
const MAX_CACHED_STYLE_SHEETS = 100

/**
 * Serves a style sheet for every possible accent colour. The request names the colour in its path, so the
 * response reveals nothing about the community.
 */
export function serveAccentStyleSheets({ app, limits, turns }: FastifyAppAndRouteHooks) {
  const getStyleSheet = memoizeByStringKey(MAX_CACHED_STYLE_SHEETS, createAccentStyleSheet)
  app.route<{ Params: { colour: string } }>({
    method: 'GET',
    url: '/accent/:colour([0-9a-f]{6}).css',
    onRequest: async (request) => {
      await limits.limitRequests(request)
    },
    preHandler: turns,
    handler: ({ params }, reply) =>
      reply
        .type('text/css; charset=utf-8')
        .header('cache-control', 'public, max-age=86400')
        .send(getStyleSheet(`#${params.colour}`)),
  })
}

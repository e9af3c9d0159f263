import { accentStyleSheet } from '#core/community/accent-colour.ts'
import { memoize } from '#core/database/cache.ts'
import type { Server } from '#core/http/server.ts'

/** The number of style sheets that stay in memory. A community uses one, and admins try several. */
const MAX_CACHED_STYLE_SHEETS = 100

/**
 * Serves a style sheet for every possible accent colour. The request names the colour in its path, so the
 * response reveals nothing about the community.
 */
export function serveAccents({ app, limits, turns }: Server) {
  const getStyleSheet = memoize(MAX_CACHED_STYLE_SHEETS, accentStyleSheet)
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

import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#core/context.ts'
import type { FeatureModule } from '#core/feature/module.ts'
import { dropDocumentHeaders } from '#core/http/headers.ts'
import { answerFromMemory } from '#core/http/static-file-cache.ts'
import { MANIFEST_FILE, serveManifest } from '#core/http/web-manifest.ts'
import { IMMUTABLE } from '#core/media/routes.ts'

/**
 * Matches the service worker and the files of its offline page, also compressed. No cache keeps them without
 * asking the server, so that a browser finds the next version at once.
 */
const workerFiles = /[/\\](service-worker|offline)\.\w+(\.(br|gz))?$/

/** Serves the files of the folder `root`, and the web manifest. */
export async function serveStaticFiles(
  app: FastifyInstance,
  root: string,
  context: Pick<AppContext, 'publicSite' | 'settings' | 'media'>,
  features: readonly FeatureModule[],
) {
  serveManifest(app, root, context, features)
  await app.register(async (scope) => {
    answerFromMemory(scope)
    const options = { decorateReply: false, index: false, preCompressed: true, cacheControl: false } as const
    await scope.register(fastifyStatic, {
      ...options,
      root,
      wildcard: false,
      globIgnore: [
        'index.html',
        MANIFEST_FILE,
        `${MANIFEST_FILE}.*`,
        '.*/**',
        'assets/**',
        '**/*.br',
        '**/*.gz',
      ],
      setHeaders: (reply, path) =>
        reply.header('cache-control', workerFiles.test(path) ? 'no-cache' : 'public, max-age=3600'),
    })
    // Serves all assets with one wildcard route, because one route for each file would take a tenth of the
    // start-up time.
    await scope.register(fastifyStatic, {
      ...options,
      root: join(root, 'assets'),
      prefix: '/assets/',
      setHeaders(reply) {
        dropDocumentHeaders(reply)
        reply.header('cache-control', IMMUTABLE)
      },
    })
  })
}

import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#core/context.ts'
import { answerStaticFilesFromMemory } from '#core/http/static-file-cache.ts'
import { serveWebManifest, WEB_MANIFEST_FILE } from '#core/http/web-manifest.ts'
import { IMMUTABLE_CACHE_CONTROL } from '#core/media/routes.ts'
import type { FeatureModule } from '#core/module.ts'

/**
 * Matches the service worker and the files of its offline page, also compressed. No cache keeps them without
 * asking the server, so that a browser finds the next version at once.
 */
const workerFiles = /[/\\](service-worker|offline)\.\w+(\.(br|gz))?$/

/** Serves the files of the folder `root`, and the web manifest. */
export async function serveStaticFilesAndWebManifest(
  app: FastifyInstance,
  root: string,
  context: Pick<AppContext, 'publicSite' | 'settings' | 'media'>,
  features: readonly FeatureModule[],
) {
  serveWebManifest(app, root, context, features)
  await app.register(async (scope) => {
    answerStaticFilesFromMemory(scope)
    const options = { decorateReply: false, index: false, preCompressed: true, cacheControl: false } as const
    await scope.register(fastifyStatic, {
      ...options,
      root,
      wildcard: false,
      globIgnore: [
        'index.html',
        WEB_MANIFEST_FILE,
        `${WEB_MANIFEST_FILE}.*`,
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
      setHeaders: (reply) => reply.header('cache-control', IMMUTABLE_CACHE_CONTROL),
    })
  })
}

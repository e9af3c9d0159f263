import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { COMMUNITY_PICTURE_WIDTHS } from '#core/community-picture.ts'
import type { AppContext } from '#core/context.ts'
import { IMMUTABLE_CACHE_CONTROL } from '#core/media/routes.ts'

const MANIFEST = 'site.webmanifest'

type ManifestContext = Pick<AppContext, 'publicSite' | 'settings' | 'media'>

/** Serves the files of the folder `root`, and the web manifest with the name and picture of the community. */
export async function serveStaticFiles(app: FastifyInstance, root: string, context: ManifestContext) {
  const { publicSite: site } = context
  const manifest: { icons: object[] } = JSON.parse(readFileSync(join(root, MANIFEST), 'utf8'))
  app.get(`/${MANIFEST}`, (_, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', 'public, max-age=3600')
      .send({
        ...manifest,
        name: site.name,
        short_name: site.name,
        icons: [...listPictureIcons(context), ...manifest.icons],
      }),
  )
  const options = { decorateReply: false, index: false, preCompressed: true, cacheControl: false } as const
  await app.register(fastifyStatic, {
    ...options,
    root,
    wildcard: false,
    globIgnore: ['index.html', MANIFEST, `${MANIFEST}.*`, '.*/**', 'assets/**', '**/*.br', '**/*.gz'],
    setHeaders: (reply) => reply.header('cache-control', 'public, max-age=3600'),
  })
  // One wildcard route serves all assets, because one route for each file would take a tenth of the start-up
  // time.
  await app.register(fastifyStatic, {
    ...options,
    root: join(root, 'assets'),
    prefix: '/assets/',
    setHeaders: (reply) => reply.header('cache-control', IMMUTABLE_CACHE_CONTROL),
  })
}

/**
 * Returns the icons of the web manifest that show the community's picture. A members-only community has none,
 * because browsers fetch the manifest and its icons as strangers.
 */
function listPictureIcons({ settings, media }: ManifestContext) {
  const picture = settings.picture()
  if (!picture || settings.isMembersOnly()) return []
  return Object.values(COMMUNITY_PICTURE_WIDTHS).map((width) => ({
    src: media.url(picture, width),
    sizes: `${width}x${width}`,
    type: 'image/webp',
    purpose: 'any',
  }))
}

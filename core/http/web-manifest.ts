import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import * as pictures from '#core/community/picture.ts'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { FeatureModule } from '#core/feature/module.ts'
import { requestLanguage } from '#core/http/session.ts'

/** The file in the folder of the built pages with those fields of the web manifest that never change. */
export const MANIFEST_FILE = 'site.webmanifest'

/** The description of the site, in the web manifest and on pages without a description of their own. */
export const defaultDescription = {
  en: 'A place to sit, for people who know each other.',
  ja: '知り合いどうしが、ひと息つける場所。',
}

type ManifestContext = Pick<AppContext, 'publicSite' | 'settings' | 'media'>

/**
 * Serves the web manifest (https://www.w3.org/TR/appmanifest/), with the name and picture of the community.
 * Browsers fetch it without cookies. So it depends on no member, and a members-only community tells in it no
 * more than its name.
 */
export function serveManifest(
  app: FastifyInstance,
  root: string,
  context: ManifestContext,
  features: readonly FeatureModule[],
) {
  const { publicSite, settings } = context
  const manifest: { icons: object[] } = JSON.parse(readFileSync(join(root, MANIFEST_FILE), 'utf8'))
  app.get(`/${MANIFEST_FILE}`, (request, reply) => {
    const lang = requestLanguage(request, settings.current().default_language)
    return reply
      .type('application/manifest+json')
      .header('cache-control', 'public, max-age=3600')
      .header('vary', 'cookie, accept-language')
      .send({
        ...manifest,
        name: publicSite.name,
        short_name: publicSite.name,
        description: defaultDescription[lang],
        lang,
        icons: [...listPictureIcons(context), ...manifest.icons],
        shortcuts: listShortcuts(features, lang),
      })
  })
}

/**
 * Returns the links in the menu of the installed app’s icon. The sample features have none, because people
 * outside of a members-only community must not learn whether these features are on.
 */
const listShortcuts = (features: readonly FeatureModule[], lang: Language) =>
  features
    .flatMap(({ pages = [], isDemo }) => (isDemo ? [] : pages))
    .filter(({ appShortcutPosition }) => appShortcutPosition !== undefined)
    .toSorted((a, b) => a.appShortcutPosition! - b.appShortcutPosition!)
    .map(({ path, title }) => ({
      name: title[lang],
      url: path,
      icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
    }))

/**
 * Returns the icons of the web manifest that show the community's picture. A members-only community has none,
 * because browsers fetch the manifest and its icons as strangers.
 */
function listPictureIcons({ settings, media }: ManifestContext) {
  const picture = settings.picture()
  if (!picture || settings.isMembersOnly()) return []
  return Object.values(pictures.WIDTHS).map((width) => ({
    src: media.url(picture, width),
    sizes: `${width}x${width}`,
    type: 'image/webp',
    purpose: 'any',
  }))
}

import type { Language, PreloadImage } from '#core/contract.ts'
import { escapeHtml } from '#core/i18n.ts'

interface TemplateData {
  title: string
  description: string
  canonical: string | null
  /** The URL of the picture that previews of links show; null if there is none. */
  linkPicture: string | null
  boot: { app: { name: string }; lang: Language; theme: string | null }
  /** The accent colour, or null for the standard one. */
  accent: string | null
  assets: { scripts: readonly string[]; styles: readonly string[] }
  picture?: PreloadImage | undefined
}

const preload = ({ path, srcset, sizes }: PreloadImage) =>
  `<link rel="preload" as="image" fetchpriority="high" href="${escapeHtml(path)}" imagesrcset="${escapeHtml(srcset)}" imagesizes="${escapeHtml(sizes)}">`

const loading = { en: 'Loading...', ja: '読み込み中…' }

/**
 * Returns the link to the style sheet of the accent colour, for which the browser waits before it paints. The
 * page finds the link by its id to change the colour.
 */
const accentLink = (colour: string | null) =>
  colour ? `<link id="accent" rel="stylesheet" href="/accent/${colour.slice(1)}.css">` : '<link id="accent">'

/** Fills `html`, the template that all pages share, with the data of one page. */
export function renderPageHtml(
  html: string,
  { title, description, canonical, linkPicture, boot, accent, assets, picture }: TemplateData,
) {
  const links = [
    ...(canonical ? [`<link rel="canonical" href="${escapeHtml(canonical)}">`] : []),
    ...(linkPicture ? [`<meta property="og:image" content="${escapeHtml(linkPicture)}">`] : []),
    ...(picture ? [preload(picture)] : []),
    accentLink(accent),
    ...assets.styles.map((file) => `<link rel="stylesheet" href="${file}">`),
    ...assets.scripts.map((file) => `<link rel="modulepreload" href="${file}">`),
  ].join('')
  // A data block (HTML, 4.12.1) never runs, so the strictest Content-Security-Policy allows it. `<` is
  // escaped, so that no text can end the block.
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
      (_, start: string) => `${start}${escapeHtml(description)}"`,
    )
    .replace('</head>', () => `${links}</head>`)
    .replace('<span>Engawa</span>', () => `<span>${escapeHtml(boot.app.name)}</span>`)
    .replace('</body>', () => `${data}</body>`)
}

import type { Language } from '#core/contract.ts'
import { SerializedJson } from '#core/http/pagination.ts'
import type { PreloadImage } from '#core/media/preload.ts'
import { escapeHtml } from '#core/text/i18n.ts'

interface TemplateData {
  title: string
  description: string
  canonical: string | null
  linkTitle: string
  /** The URL of the picture that previews of links to the page show; null if there is none. */
  linkPicture: string | null
  boot: { app: { name: string }; lang: Language; theme: string | null; text: string | null }
  /** The accent colour of the community; null for the standard one. */
  accent: string | null
  assets: { scripts: readonly string[]; styles: readonly string[] }
  picture?: PreloadImage | undefined
}

/** Without `rel`: web/main.tsx sets it as soon as all scripts are there, which the picture would delay. */
const preload = ({ path, srcset, sizes, isUrgent }: PreloadImage) =>
  `<link id="picture" as="image"${isUrgent ? ' fetchpriority="high"' : ''} href="${escapeHtml(path)}" imagesrcset="${escapeHtml(srcset)}" imagesizes="${escapeHtml(sizes)}">`

const loading = { en: 'Loading...', ja: '読み込み中…' }

/**
 * Returns the link to the style sheet of the accent colour, for which the browser waits before it paints. The
 * page finds the link by its id to change the colour.
 */
const accentLink = (colour: string | null) =>
  colour ? `<link id="accent" rel="stylesheet" href="/accent/${colour.slice(1)}.css">` : '<link id="accent">'

/** The response of an endpoint that a page includes, so that the browser does not request it. */
export interface InlinedResponse {
  url: string
  body: unknown
  /** The URL of the next page of a list; null on the last page, and if the endpoint returns no list. */
  next: string | null
}

/** Escapes `<` in JSON, so that no text can end the data block of a page. */
const escapeForDataBlock = (json: string) => json.replaceAll('<', '\\u003c')

/** The JSON of a body; a list that is JSON text already goes into the page as this text. */
const toBodyJson = (body: unknown) =>
  escapeForDataBlock(body instanceof SerializedJson ? body.bytes.toString() : JSON.stringify(body))

function toBootJson(boot: TemplateData['boot'], answers: readonly InlinedResponse[]) {
  const list = answers.map(({ url, body, next }) => {
    const fields = [
      `"url":${escapeForDataBlock(JSON.stringify(url))}`,
      ...(body === undefined ? [] : [`"body":${toBodyJson(body)}`]),
      `"next":${escapeForDataBlock(JSON.stringify(next))}`,
    ]
    return `{${fields}}`
  })
  return `${escapeForDataBlock(JSON.stringify(boot).slice(0, -1))},"initialAnswers":[${list}]}`
}

/** What LINE, Slack and others show of a link (https://ogp.me). `picture` is an absolute URL. */
const linkCard = (card: { title: string; description: string; site: string; picture: string | null }) =>
  Object.entries({
    title: card.title,
    description: card.description,
    site_name: card.site,
    image: card.picture,
  }).flatMap(([name, content]) =>
    content ? [`<meta property="og:${name}" content="${escapeHtml(content)}">`] : [],
  )

const rootTag = ({ lang, theme, text }: TemplateData['boot']) =>
  `<html lang="${lang}"${theme ? ` data-theme="${theme}"` : ''}${text ? ` data-text="${text}"` : ''}>`

/** Fills `html`, the template that all pages share, with the data of one page. */
export function renderPage(
  html: string,
  { title, description, canonical, linkTitle, linkPicture, boot, accent, assets, picture }: TemplateData,
  answers: readonly InlinedResponse[],
) {
  const links = [
    ...(canonical ? [`<link rel="canonical" href="${escapeHtml(canonical)}">`] : []),
    ...linkCard({ title: linkTitle, description, site: boot.app.name, picture: linkPicture }),
    ...(picture ? [preload(picture)] : []),
    accentLink(accent),
    ...assets.styles.map((file) => `<link rel="stylesheet" href="${file}">`),
    ...assets.scripts.map((file) => `<link rel="modulepreload" fetchpriority="low" href="${file}">`),
  ].join('')
  // Puts the data into a data block (HTML, 4.12.1). The block never runs, so the strictest
  // Content-Security-Policy allows it.
  const data = `<script type="application/json" id="boot">${toBootJson(boot, answers)}</script>`
  return html
    .replace(loading.en, loading[boot.lang])
    .replace('<html lang="en">', () => rootTag(boot))
    .replace(/<title>.*?<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace(
      /(<meta name="description" content=").*?"/,
      (_, start: string) => `${start}${escapeHtml(description)}"`,
    )
    .replace('</head>', () => `${links}</head>`)
    .replace('<span>Engawa</span>', () => `<span>${escapeHtml(boot.app.name)}</span>`)
    .replace('</body>', () => `${data}</body>`)
}

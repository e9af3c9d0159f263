import QuickLRU from 'quick-lru'
import type { Language } from '#core/contract.ts'
import { SerializedJson } from '#core/http/pagination.ts'
import { escapeHtml } from '#core/i18n.ts'
import type { PreloadImage } from '#core/preload-image-contract.ts'

interface TemplateData {
  title: string
  description: string
  canonical: string | null
  /** The URL of the picture that previews of links to the page show; null if there is none. */
  linkPicture: string | null
  boot: { app: { name: string }; lang: Language; theme: string | null }
  /** The accent colour of the community; null for the standard one. */
  accent: string | null
  assets: { scripts: readonly string[]; styles: readonly string[] }
  picture?: PreloadImage | undefined
}

const preload = ({ path, srcset, sizes, isUrgent }: PreloadImage) =>
  `<link rel="preload" as="image"${isUrgent ? ' fetchpriority="high"' : ''} href="${escapeHtml(path)}" imagesrcset="${escapeHtml(srcset)}" imagesizes="${escapeHtml(sizes)}">`

const loading = { en: 'Loading...', ja: '読み込み中…' }

/**
 * Returns the link to the style sheet of the accent colour, for which the browser waits before it paints. The
 * page finds the link by its id to change the colour.
 */
const accentLink = (colour: string | null) =>
  colour ? `<link id="accent" rel="stylesheet" href="/accent/${colour.slice(1)}.css">` : '<link id="accent">'

/** The response of an endpoint that a page includes, so that the browser does not request it. */
export interface InlinedEndpointResponse {
  url: string
  body: unknown
  /** The URL of the next page of a list; null on the last page, and if the endpoint returns no list. */
  next: string | null
}

/** Half of the maximum number of pages that are kept. Each has about 60 kB. */
const HALF_OF_KEPT_PAGES = 50

/**
 * Creates the function that fills `html`, the template that all pages share, with the data of one page. If
 * the last page with the same key had the same data, it returns the same buffer, so that the buffer is
 * compressed only once. Bodies of responses are compared by identity: cached results are the same objects.
 */
export function createCachedPageHtmlRenderer() {
  const pages = new QuickLRU<
    string,
    { data: string; answers: readonly InlinedEndpointResponse[]; bytes: Buffer }
  >({
    maxSize: HALF_OF_KEPT_PAGES,
  })
  return (key: string, html: string, template: TemplateData, answers: readonly InlinedEndpointResponse[]) => {
    const data = JSON.stringify(template)
    const known = pages.get(key)
    if (known?.data === data && areSameAnswers(known.answers, answers)) return known.bytes
    const bytes = Buffer.from(renderPageHtml(html, template, answers))
    pages.set(key, { data, answers, bytes })
    return bytes
  }
}

const areSameAnswers = (
  some: readonly InlinedEndpointResponse[],
  others: readonly InlinedEndpointResponse[],
) =>
  some.length === others.length &&
  some.every(({ url, body, next }, index) => {
    const other = others[index]!
    return url === other.url && body === other.body && next === other.next
  })

/** Escapes `<` in JSON, so that no text can end the data block of a page. */
const escapeForDataBlock = (json: string) => json.replaceAll('<', '\\u003c')

/**
 * The escaped JSON of response bodies that are objects, by these objects. The body of a cached result is the
 * same object each time, so it is serialized only once.
 */
const jsonOfBodies = new WeakMap<object, string>()

function toBodyJson(body: unknown) {
  if (typeof body !== 'object' || body === null) return escapeForDataBlock(JSON.stringify(body))
  const known = jsonOfBodies.get(body)
  if (known !== undefined) return known
  const json = body instanceof SerializedJson ? body.bytes.toString() : JSON.stringify(body)
  const escaped = escapeForDataBlock(json)
  jsonOfBodies.set(body, escaped)
  return escaped
}

/** Returns the data of a page as JSON, with the responses that it includes. */
function toBootJson(boot: TemplateData['boot'], answers: readonly InlinedEndpointResponse[]) {
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

function renderPageHtml(
  html: string,
  { title, description, canonical, linkPicture, boot, accent, assets, picture }: TemplateData,
  answers: readonly InlinedEndpointResponse[],
) {
  const links = [
    ...(canonical ? [`<link rel="canonical" href="${escapeHtml(canonical)}">`] : []),
    ...(linkPicture ? [`<meta property="og:image" content="${escapeHtml(linkPicture)}">`] : []),
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

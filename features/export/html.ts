import type { ExportList } from '#core/feature/exports.ts'
import { dot } from '#core/text/dot.ts'
import { escapeHtml } from '#core/text/i18n.ts'
import {
  type ArchiveRecord,
  type HtmlOptions,
  pathToRoot,
  renderContent,
  textAttributes,
} from './records-html.ts'
import { archiveCss, securityPolicy } from './style.ts'
import { archiveTexts } from './text.ts'

// `escapeHtml` escapes every text that people wrote.

/** For every page. */
export interface SiteData extends HtmlOptions {
  /** The name of the community. */
  app: string
  /** Contains the name of the member. */
  title: string
  /** ISO 8601. */
  madeAt: string
}

interface LayoutOptions {
  heading: string
  /** Navigation, as HTML. */
  before?: string
  content: string
}

function layoutPage(site: SiteData, { heading, before = '', content }: LayoutOptions) {
  const { lang, times } = site
  const title = heading === site.title ? heading : `${heading} – ${site.title}`
  const made = archiveTexts[lang].made(times.formatDateAndTime(site.madeAt), times.timeZone)
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${securityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${archiveCss}</style>
</head>
<body>
<header>${before}<h1 ${textAttributes(heading, lang)}>${escapeHtml(heading)}</h1></header>
<main>
${content}
</main>
<footer><p>${escapeHtml(made)}</p></footer>
</body>
</html>
`
}

/** Oldest and newest record, in ISO 8601. */
export interface TimeRange {
  from: string
  to: string
}

/** One day if they are the same. */
function formatDays({ from, to }: TimeRange, { times }: HtmlOptions) {
  const [first, last] = [times.formatShortDay(from), times.formatShortDay(to)]
  return first === last ? first : `${first} – ${last}`
}

export interface DocumentPage {
  /** In the archive, without the extension. */
  path: string
  number: number
  previous: string | null
  next: string | null
  /** The HTML of the list items. */
  items: string
  /** With the HTML id of the first record, in the order of the page. */
  months: readonly { anchor: string; time: string }[]
}

export function renderDocument(
  site: SiteData,
  { title, layout }: Pick<ExportList, 'title' | 'layout'>,
  { path, number, previous, next, items, months }: DocumentPage,
) {
  const t = archiveTexts[site.lang]
  const link = (target: string | null, text: string) =>
    target ? `<a href="${pathToRoot(path)}${target}.html">${text}</a>` : ''
  const links = link('index', t.start) + link(previous, t.previous) + link(next, t.next)
  const className = `records${layout === 'messages' ? ' messages' : ''}`
  return layoutPage(site, {
    heading: number === 1 && !next ? title : `${title} – ${t.page(number)}`,
    before: `<nav aria-label="${t.navigation}">${links}</nav>`,
    content: `${renderMonths(months, site)}<ul class="${className}">
${items}</ul>
<nav aria-label="${t.navigationAtEnd}">${links}</nav>`,
  })
}

/** Folded, so that the Tab key does not stop at each of them. */
function renderMonths(months: DocumentPage['months'], { lang, times }: SiteData) {
  if (months.length < 2) return ''
  const items = months.map(
    ({ anchor, time }) => `<li><a href="#${anchor}">${escapeHtml(times.formatMonth(time))}</a></li>`,
  )
  return `<details class="board months"><summary>${archiveTexts[lang].months}</summary>
<ul>${items.join('\n')}</ul></details>
`
}

export interface ListedDocument {
  title: string
  records: number
  /** Null if no record has a time. */
  range: TimeRange | null
  /** None for a document without records. */
  pages: readonly { path: string; range: TimeRange | null }[]
}

export interface StartSection {
  title: string
  documents: readonly ListedDocument[]
}

/** `index.html`, with the records in `profile`. */
export function renderStart(
  site: SiteData,
  profile: readonly ArchiveRecord[],
  sections: readonly StartSection[],
) {
  const boards = [
    ...profile.map((record) => `<div class="board profile">${renderContent(record, '', site)}</div>`),
    `<p class="board">${archiveTexts[site.lang].about}</p>`,
    ...sections
      .filter(({ documents }) => documents.length)
      .map(({ title, documents }) => {
        const items = documents.map((found) => renderListedDocument(found, site))
        return `<section class="board"><h2>${escapeHtml(title)}</h2>
<ul class="list">${items.join('\n')}</ul></section>`
      }),
  ]
  return layoutPage(site, { heading: site.title, content: boards.join('\n') })
}

/** No link for a document without records; a list of pages for one of several. */
function renderListedDocument({ title, records, range, pages }: ListedDocument, site: SiteData) {
  const t = archiveTexts[site.lang]
  const [first] = pages
  const count = [t.items(records), range && formatDays(range, site)].filter(Boolean).join(dot[site.lang])
  const name = `${textAttributes(title, site.lang)}>${escapeHtml(title)}`
  const link = first ? `<a href="${first.path}.html" ${name}</a>` : `<span class="empty" ${name}</span>`
  const pageItems = pages.map(({ path, range }, index) => {
    const days = range ? ` (${formatDays(range, site)})` : ''
    return `<li><a href="${path}.html">${t.page(index + 1)}${escapeHtml(days)}</a></li>`
  })
  const list =
    pages.length > 1
      ? `<details><summary>${t.allPages(pages.length)}</summary><ul>${pageItems.join('\n')}</ul></details>`
      : ''
  return `<li>${link}<span class="count">${escapeHtml(count)}</span>${list}</li>`
}

import type { DataExportRecordList } from '#core/exports.ts'
import { escapeHtml } from '#core/i18n.ts'
import {
  type DataExportArchiveRecord,
  type DataExportRecordHtmlOptions,
  renderDataExportRecordContent,
  renderDirAndLangAttributes,
  toRelativePathToArchiveRoot,
} from './records-html.ts'
import { dataExportArchiveCss, dataExportContentSecurityPolicy } from './style.ts'
import { dataExportArchiveTexts } from './text.ts'

// The functions of this file render the HTML pages of an archive. `escapeHtml` escapes every text that people
// wrote.

/** The data that every page of an archive shows, such as the language and the name of the community. */
export interface DataExportCommonPageData extends DataExportRecordHtmlOptions {
  /** The name of the community to which the archive's data belongs. */
  app: string
  /** The title of the archive, which contains the name of the member. */
  title: string
  /** The time at which the archive was made, in ISO 8601. */
  madeAt: string
}

interface LayoutOptions {
  heading: string
  /** The HTML of the navigation above the heading of the page. */
  before?: string
  content: string
}

function layoutPage(site: DataExportCommonPageData, { heading, before = '', content }: LayoutOptions) {
  const { lang, times } = site
  const title = heading === site.title ? heading : `${heading} – ${site.title}`
  const made = dataExportArchiveTexts[lang].made(times.formatDateAndTime(site.madeAt), times.timeZone)
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${dataExportContentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${dataExportArchiveCss}</style>
</head>
<body>
<header>${before}<h1 ${renderDirAndLangAttributes(heading, lang)}>${escapeHtml(heading)}</h1></header>
<main>
${content}
</main>
<footer><p>${escapeHtml(made)}</p></footer>
</body>
</html>
`
}

/** The time range of some records: the times of the oldest and the newest record, in ISO 8601. */
export interface DataExportTimeRange {
  from: string
  to: string
}

/** Formats a time range as its first and last day, or as one day if they are the same. */
function formatDays({ from, to }: DataExportTimeRange, { times }: DataExportRecordHtmlOptions) {
  const [first, last] = [times.formatShortDay(from), times.formatShortDay(to)]
  return first === last ? first : `${first} – ${last}`
}

// ── The HTML pages of documents ─────────────────────────────────────────────

/**
 * One HTML page of a document in the archive: its number, its content, and the paths of the previous and the
 * next page.
 */
export interface DataExportDocumentPageRenderInput {
  /** The path of the page in the archive, without the extension. */
  path: string
  number: number
  previous: string | null
  next: string | null
  /** The HTML of the list items of the page, one for each record. */
  items: string
  /**
   * The months of the records on the page, each with the HTML id of its first record, in the order of the
   * page.
   */
  months: readonly { anchor: string; time: string }[]
}

/** Returns the HTML of one page of a document, with the records of the page. */
export function renderDataExportDocumentPage(
  site: DataExportCommonPageData,
  { title, layout }: Pick<DataExportRecordList, 'title' | 'layout'>,
  { path, number, previous, next, items, months }: DataExportDocumentPageRenderInput,
) {
  const t = dataExportArchiveTexts[site.lang]
  const link = (target: string | null, text: string) =>
    target ? `<a href="${toRelativePathToArchiveRoot(path)}${target}.html">${text}</a>` : ''
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

/**
 * Returns the HTML of links to the months of a page. The links are folded, so that the Tab key does not stop
 * at each of them.
 */
function renderMonths(
  months: DataExportDocumentPageRenderInput['months'],
  { lang, times }: DataExportCommonPageData,
) {
  if (months.length < 2) return ''
  const items = months.map(
    ({ anchor, time }) => `<li><a href="#${anchor}">${escapeHtml(times.formatMonth(time))}</a></li>`,
  )
  return `<details class="board months"><summary>${dataExportArchiveTexts[lang].months}</summary>
<ul>${items.join('\n')}</ul></details>
`
}

// ── The start page of the archive ───────────────────────────────────────────

/** A document of the archive, as the start page lists it. */
export interface ListedDataExportDocument {
  title: string
  records: number
  /** The times of the document's oldest and newest record; null if no record has a time. */
  range: DataExportTimeRange | null
  /** The HTML pages of the document. A document without records has none. */
  pages: readonly { path: string; range: DataExportTimeRange | null }[]
}

/** A section of the archive's start page: a title, and the documents of one feature. */
export interface DataExportStartPageSection {
  title: string
  documents: readonly ListedDataExportDocument[]
}

/**
 * Returns the HTML of `index.html`, the start page of an archive. The page shows the records in `profile`,
 * and has links to the documents of the sections.
 */
export function renderDataExportStartPage(
  site: DataExportCommonPageData,
  profile: readonly DataExportArchiveRecord[],
  sections: readonly DataExportStartPageSection[],
) {
  const boards = [
    ...profile.map(
      (record) => `<div class="board profile">${renderDataExportRecordContent(record, '', site)}</div>`,
    ),
    `<p class="board">${dataExportArchiveTexts[site.lang].about}</p>`,
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

/**
 * Returns the HTML of a list item with a link to a document. For a document without records, the item has
 * only a name and no link. For a document of several pages, the item also contains a list of these pages.
 */
function renderListedDocument(
  { title, records, range, pages }: ListedDataExportDocument,
  site: DataExportCommonPageData,
) {
  const t = dataExportArchiveTexts[site.lang]
  const [first] = pages
  const count = [t.items(records), range && formatDays(range, site)].filter(Boolean).join(' · ')
  const name = `${renderDirAndLangAttributes(title, site.lang)}>${escapeHtml(title)}`
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

import type { Language } from '#core/contract.ts'
import { type ExportDocument, type ExportRecord, formatExportTime } from '#core/exports.ts'
import { escapeHtml } from '#core/i18n.ts'
import { contentSecurityPolicy, style } from './style.ts'
import { archiveTexts } from './text.ts'

// The pages of an archive. Every text that people wrote passes through `escapeHtml`.

/** A picture of a record in the archive. `path` is null if its file no longer exists. */
export interface ArchivedPicture {
  path: string | null
  alt: string | null
}
/** A record, with its pictures in the archive. */
export interface ArchivedRecord extends Omit<ExportRecord, 'pictures'> {
  pictures: readonly ArchivedPicture[]
}

/** The language and the name of the community, which all pages show. */
export interface ArchivePageInfo {
  lang: Language
  app: string
  /** When the archive is made, in ISO 8601. */
  madeAt: string
}

/** Returns the attributes of an element with a text that a person wrote. */
const textAttributes = (text: string, lang: Language) =>
  `dir="auto"${lang === 'en' && /[\u3040-\u30ff\u3400-\u9fff]/.test(text) ? ' lang="ja"' : ''}`

const element = (name: string, className: string, text: string | null | undefined, lang: Language) =>
  text ? `<${name} class="${className}" ${textAttributes(text, lang)}>${escapeHtml(text)}</${name}>` : ''

/** The path from a page to the folder of `index.html`, such as `../`. */
const toRoot = (path: string) => '../'.repeat(path.split('/').length - 1)

const layoutPage = (
  site: ArchivePageInfo,
  title: string,
  navigation: string,
  content: string,
) => `<!doctype html>
<html lang="${site.lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header>${navigation}<h1 ${textAttributes(title, site.lang)}>${escapeHtml(title)}</h1></header>
<main>
${content}
</main>
<footer><p>${escapeHtml(archiveTexts[site.lang].made(formatExportTime(site.madeAt, site.lang)))}</p></footer>
</body>
</html>
`

function renderPicture({ path, alt }: ArchivedPicture, root: string, lang: Language) {
  const t = archiveTexts[lang]
  if (path === null) return `<p class="gone">${escapeHtml(alt ? `${t.gone} (${alt})` : t.gone)}</p>`
  const address = escapeHtml(root + path)
  return `<a href="${address}"><img src="${address}" alt="${escapeHtml(alt ?? t.noDescription)}" loading="lazy"></a>`
}

const renderFacts = (facts: NonNullable<ExportRecord['facts']>) =>
  facts.length
    ? `<dl>${facts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value)}</dd>`).join('')}</dl>`
    : ''

function renderRecordContent(record: ArchivedRecord, root: string, lang: Language) {
  const { heading, time, text, facts = [], pictures, note } = record
  const shown = pictures.map((picture) => renderPicture(picture, root, lang)).join('')
  return [
    element('p', 'heading', heading, lang),
    time ? `<p class="time"><time datetime="${time}">${formatExportTime(time, lang)}</time></p>` : '',
    element('p', 'text', text, lang),
    renderFacts(facts),
    shown && `<div class="pictures">${shown}</div>`,
    element('p', 'note', note, lang),
  ].join('')
}

/** Returns a record as an item of the list in the page at `path`. */
export const renderRecord = (record: ArchivedRecord, path: string, lang: Language) =>
  `<li class="record${record.isOwn ? ' own' : ''}">${renderRecordContent(record, toRoot(path), lang)}</li>\n`

/** A page of a document: its number, and the paths of the pages beside it. */
export interface DocumentPage {
  /** The path without extension. */
  path: string
  number: number
  previous: string | null
  next: string | null
  /** The list items. */
  items: string
}

/** Returns a page with records. */
export function renderDocumentPage(
  site: ArchivePageInfo,
  { title, layout }: Pick<ExportDocument, 'title' | 'layout'>,
  { path, number, previous, next, items }: DocumentPage,
) {
  const t = archiveTexts[site.lang]
  const link = (target: string | null, text: string) =>
    target ? `<a href="${toRoot(path)}${target}.html">${text}</a>` : ''
  const beside = link(previous, t.previous) + link(next, t.next)
  const heading = number === 1 && !next ? title : `${title} – ${t.page(number)}`
  const list = items
    ? `<ul class="records${layout === 'messages' ? ' messages' : ''}">\n${items}</ul>`
    : `<p class="board">${t.none}</p>`
  const content = `${list}${beside && `\n<nav>${beside}</nav>`}`
  return layoutPage(site, heading, `<nav>${link('index', t.start)}${beside}</nav>`, content)
}

/** A section of the start page. */
export interface StartPageSection {
  title: string
  documents: readonly { title: string; path: string; records: number }[]
}

/** Returns `index.html`. `profile` has the records that are shown on the start page itself. */
export function renderStartPage(
  site: ArchivePageInfo,
  title: string,
  profile: readonly ArchivedRecord[],
  sections: readonly StartPageSection[],
) {
  const t = archiveTexts[site.lang]
  const links = ({ documents }: StartPageSection) =>
    documents
      .map(
        (found) =>
          `<li><a href="${found.path}.html" ${textAttributes(found.title, site.lang)}>${escapeHtml(found.title)}</a><span class="count">${t.items(found.records)}</span></li>`,
      )
      .join('\n')
  const boards = [
    `<p class="board">${t.about}</p>`,
    ...profile.map((record) => `<div class="board">${renderRecordContent(record, '', site.lang)}</div>`),
    ...sections
      .filter(({ documents }) => documents.length)
      .map(
        (section) =>
          `<section class="board"><h2>${escapeHtml(section.title)}</h2><ul class="list">${links(section)}</ul></section>`,
      ),
  ]
  return layoutPage(site, title, '', boards.join('\n'))
}

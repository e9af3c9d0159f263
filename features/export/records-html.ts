import type { Language } from '#core/contract.ts'
import type { ExportList, ExportPicture, ExportRecord, ExportValue } from '#core/feature/exports.ts'
import { escapeHtml } from '#core/text/i18n.ts'
import type { TimeFormatters } from '#core/text/times.ts'
import { archiveTexts } from './text.ts'

// `escapeHtml` escapes every text that people wrote.

/** `path` is null if the file no longer exists. */
export interface ArchivePicture extends Omit<ExportPicture, 'file'> {
  path: string | null
}
/** `path` is null if the file no longer exists. */
export interface ArchiveFile {
  name: string
  path: string | null
}
export interface ArchiveRecord extends Omit<ExportRecord, 'pictures' | 'files'> {
  pictures: readonly ArchivePicture[]
  files: readonly ArchiveFile[]
}

export interface HtmlOptions {
  lang: Language
  times: TimeFormatters
}

/** For a text of a person: `dir` and, for Japanese text in an English archive, `lang`. */
export const textAttributes = (text: string, lang: Language) =>
  `dir="auto"${lang === 'en' && /[\u3040-\u30ff\u3400-\u9fff]/.test(text) ? ' lang="ja"' : ''}`

const element = (name: string, className: string, text: string | null | undefined, lang: Language) =>
  text ? `<${name} class="${className}" ${textAttributes(text, lang)}>${escapeHtml(text)}</${name}>` : ''

const timeElement = (time: string, words: string) =>
  `<time datetime="${escapeHtml(time)}">${escapeHtml(words)}</time>`

/** To the folder of `index.html`, such as `../`. */
export const pathToRoot = (path: string) => '../'.repeat(path.split('/').length - 1)

function renderPicture({ path, alt, size }: ArchivePicture, root: string, lang: Language) {
  const t = archiveTexts[lang]
  if (path === null) return `<p class="gone">${escapeHtml(alt ? `${t.gone} (${alt})` : t.gone)}</p>`
  const address = escapeHtml(root + path)
  // With width and height, the browser reserves the space. Otherwise the page would move after a click on a
  // month, away from its first record.
  const measures = size ? ` width="${size.width}" height="${size.height}"` : ''
  const text = escapeHtml(alt ?? t.noDescription)
  return `<a href="${address}"><img src="${address}" alt="${text}"${measures} loading="lazy"></a>`
}

function renderFacts(facts: readonly ExportValue[], { times }: HtmlOptions) {
  if (!facts.length) return ''
  const rows = facts.map(([label, value]) => {
    const shown =
      typeof value === 'string'
        ? escapeHtml(value)
        : timeElement(value.time, times.formatDateAndTime(value.time))
    return `<dt>${escapeHtml(label)}</dt><dd dir="auto">${shown}</dd>`
  })
  return `<dl>${rows.join('')}</dl>`
}

const renderPictures = (pictures: readonly ArchivePicture[], root: string, lang: Language) =>
  pictures.length
    ? `<div class="pictures">${pictures.map((picture) => renderPicture(picture, root, lang)).join('')}</div>`
    : ''

/** Browsers save these files instead of showing them (`download`). */
const renderFiles = (files: readonly ArchiveFile[], root: string, lang: Language) =>
  files
    .map(({ name, path }) => {
      const words = `<span ${textAttributes(name, lang)}>${escapeHtml(name)}</span>`
      if (path === null) return `<p class="gone">${words}: ${escapeHtml(archiveTexts[lang].goneFile)}</p>`
      const address = root + path.split('/').map(encodeURIComponent).join('/')
      return `<p class="file"><a href="${escapeHtml(address)}" download>${words}</a></p>`
    })
    .join('')

/** `root` is the relative path to the folder of `index.html`. */
export function renderContent(record: ArchiveRecord, root: string, site: HtmlOptions) {
  const { heading, time, text, facts = [], pictures, files, note } = record
  const { lang, times } = site
  return [
    element('p', 'heading', heading, lang),
    time ? `<p class="time">${timeElement(time, times.formatDateAndTime(time))}</p>` : '',
    element('p', 'text', text, lang),
    renderFacts(facts, site),
    renderPictures(pictures, root, lang),
    renderFiles(files, root, lang),
    element('p', 'note', note, lang),
  ].join('')
}

/** `previous` on the page. The link to the month leads to the HTML id `anchor`. */
export interface RecordPlace extends Pick<ExportList, 'path' | 'layout'> {
  previous: ArchiveRecord | null
  anchor: string | null
}

export function renderItem(record: ArchiveRecord, place: RecordPlace, site: HtmlOptions) {
  if (place.layout === 'messages') return renderMessage(record, place, site)
  const id = place.anchor ? ` id="${place.anchor}"` : ''
  return `<li class="record"${id}>${renderContent(record, pathToRoot(place.path), site)}</li>\n`
}

/** With the day before its first message. No name if the message before has the same sender and day. */
function renderMessage(record: ArchiveRecord, { path, previous, anchor }: RecordPlace, site: HtmlOptions) {
  const { heading, time, text, pictures, files, note, isOwn } = record
  const { lang, times } = site
  const toDay = (of: ArchiveRecord | null) => of?.time && times.toIsoDay(of.time)
  const isNewDay = toDay(record) !== toDay(previous)
  const isContinued = !isNewDay && previous?.heading === heading && previous?.isOwn === isOwn
  const id = anchor ? ` id="${anchor}"` : ''
  const day =
    isNewDay && time
      ? `<li class="day"${id}><h2>${timeElement(toDay(record)!, times.formatDay(time))}</h2></li>\n`
      : ''
  const classes = `record${isOwn ? ' own' : ''}${isContinued ? ' continued' : ''}`
  const content = [
    isContinued ? '' : element('p', 'heading', heading, lang),
    element('p', 'text', text, lang),
    renderPictures(pictures, pathToRoot(path), lang),
    renderFiles(files, pathToRoot(path), lang),
    element('p', 'note', note, lang),
    time ? `<p class="time">${timeElement(time, times.formatTimeOfDay(time))}</p>` : '',
  ]
  return `${day}<li class="${classes}">${content.join('')}</li>\n`
}

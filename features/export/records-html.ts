import type { Language } from '#core/contract.ts'
import type {
  DataExportLabelledValue,
  DataExportPicture,
  DataExportRecord,
  DataExportRecordList,
} from '#core/exports.ts'
import { escapeHtml } from '#core/i18n.ts'
import { dataExportArchiveTexts } from './text.ts'
import type { DataExportTimeFormatters } from './times.ts'

// The functions of this file render the HTML of the records of an archive. `escapeHtml` escapes every text
// that people wrote.

/**
 * A picture of a record, with the path of its file in the archive. `path` is null if the file no longer
 * exists.
 */
export interface DataExportArchivePicture extends Omit<DataExportPicture, 'file'> {
  path: string | null
}
/**
 * An attached file of a record, with its path in the archive. `path` is null if the file no longer exists.
 */
export interface DataExportArchiveAttachedFile {
  name: string
  path: string | null
}
/** A record of an archive, whose pictures and files have their paths in the archive. */
export interface DataExportArchiveRecord extends Omit<DataExportRecord, 'pictures' | 'files'> {
  pictures: readonly DataExportArchivePicture[]
  files: readonly DataExportArchiveAttachedFile[]
}

/** The language and the time formatters with which the HTML of every record of an archive is rendered. */
export interface DataExportRecordHtmlOptions {
  lang: Language
  times: DataExportTimeFormatters
}

/**
 * Returns the attributes of an HTML element that contains a text of a person: `dir` and, for Japanese text in
 * an English archive, `lang`.
 */
export const renderDirAndLangAttributes = (text: string, lang: Language) =>
  `dir="auto"${lang === 'en' && /[\u3040-\u30ff\u3400-\u9fff]/.test(text) ? ' lang="ja"' : ''}`

const element = (name: string, className: string, text: string | null | undefined, lang: Language) =>
  text
    ? `<${name} class="${className}" ${renderDirAndLangAttributes(text, lang)}>${escapeHtml(text)}</${name}>`
    : ''

const timeElement = (time: string, words: string) =>
  `<time datetime="${escapeHtml(time)}">${escapeHtml(words)}</time>`

/**
 * Returns the relative path from an HTML page of the archive to the folder of `index.html`, such as `../`.
 */
export const toRelativePathToArchiveRoot = (path: string) => '../'.repeat(path.split('/').length - 1)

function renderPicture({ path, alt, size }: DataExportArchivePicture, root: string, lang: Language) {
  const t = dataExportArchiveTexts[lang]
  if (path === null) return `<p class="gone">${escapeHtml(alt ? `${t.gone} (${alt})` : t.gone)}</p>`
  const address = escapeHtml(root + path)
  // Writes the width and the height of a picture, so that the browser reserves the space before it has loaded
  // the picture. Otherwise the page would move after a click on a month, away from the first record of the
  // month.
  const measures = size ? ` width="${size.width}" height="${size.height}"` : ''
  const text = escapeHtml(alt ?? t.noDescription)
  return `<a href="${address}"><img src="${address}" alt="${text}"${measures} loading="lazy"></a>`
}

function renderFacts(facts: readonly DataExportLabelledValue[], { times }: DataExportRecordHtmlOptions) {
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

const renderPictures = (pictures: readonly DataExportArchivePicture[], root: string, lang: Language) =>
  pictures.length
    ? `<div class="pictures">${pictures.map((picture) => renderPicture(picture, root, lang)).join('')}</div>`
    : ''

/** Returns the HTML of links to attached files, which browsers save instead of showing them (`download`). */
const renderFiles = (files: readonly DataExportArchiveAttachedFile[], root: string, lang: Language) =>
  files
    .map(({ name, path }) => {
      const words = `<span ${renderDirAndLangAttributes(name, lang)}>${escapeHtml(name)}</span>`
      if (path === null)
        return `<p class="gone">${words}: ${escapeHtml(dataExportArchiveTexts[lang].goneFile)}</p>`
      const address = root + path.split('/').map(encodeURIComponent).join('/')
      return `<p class="file"><a href="${escapeHtml(address)}" download>${words}</a></p>`
    })
    .join('')

/** Returns the HTML of a record's content. `root` is the relative path to the folder of `index.html`. */
export function renderDataExportRecordContent(
  record: DataExportArchiveRecord,
  root: string,
  site: DataExportRecordHtmlOptions,
) {
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

/**
 * The place of a record in the archive: the path of its page, the layout of its document, the record before
 * it on the page, and the HTML id to which the link to its month leads.
 */
export interface DataExportRecordPositionOnPage extends Pick<DataExportRecordList, 'path' | 'layout'> {
  previous: DataExportArchiveRecord | null
  anchor: string | null
}

/** Returns the HTML of a record as an item of the list on its page. */
export function renderDataExportRecordListItem(
  record: DataExportArchiveRecord,
  place: DataExportRecordPositionOnPage,
  site: DataExportRecordHtmlOptions,
) {
  if (place.layout === 'messages') return renderMessage(record, place, site)
  const id = place.anchor ? ` id="${place.anchor}"` : ''
  return `<li class="record"${id}>${renderDataExportRecordContent(record, toRelativePathToArchiveRoot(place.path), site)}</li>\n`
}

/**
 * Returns the HTML of a message as an item of the list. Adds an item with the day before the first message of
 * each day. Leaves out the sender's name if the message before it on the page is by the same person on the
 * same day.
 */
function renderMessage(
  record: DataExportArchiveRecord,
  { path, previous, anchor }: DataExportRecordPositionOnPage,
  site: DataExportRecordHtmlOptions,
) {
  const { heading, time, text, pictures, files, note, isOwn } = record
  const { lang, times } = site
  const toDay = (of: DataExportArchiveRecord | null) => of?.time && times.toIsoDay(of.time)
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
    renderPictures(pictures, toRelativePathToArchiveRoot(path), lang),
    renderFiles(files, toRelativePathToArchiveRoot(path), lang),
    element('p', 'note', note, lang),
    time ? `<p class="time">${timeElement(time, times.formatTimeOfDay(time))}</p>` : '',
  ]
  return `${day}<li class="${classes}">${content.join('')}</li>\n`
}

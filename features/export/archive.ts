import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MemberContext } from '#core/context.ts'
import type {
  DataExportAttachedFile,
  DataExportPicture,
  DataExportRecord,
  DataExportRecordList,
  DataExportSection,
} from '#core/exports.ts'
import { toSafeFileName } from '#core/file-names.ts'
import { HttpError } from '#core/http/errors.ts'
import { findStoredFileName } from '#core/media/references.ts'
import { readMe } from '#features/people/read.ts'
import {
  type DataExportCommonPageData,
  type DataExportStartPageSection,
  type DataExportTimeRange,
  type ListedDataExportDocument,
  renderDataExportDocumentPage,
  renderDataExportStartPage,
} from './html.ts'
import {
  type DataExportArchiveAttachedFile,
  type DataExportArchivePicture,
  type DataExportArchiveRecord,
  renderDataExportRecordListItem,
} from './records-html.ts'
import { dataExportArchiveReadme, dataExportArchiveTexts } from './text.ts'
import type { ZipWriter } from './zip.ts'

/**
 * The maximum numbers of records and of characters in an HTML page and its JSON file. A page ends after the
 * record with which it reaches one of the two.
 */
const PAGE_LIMITS = { records: 1000, characters: 2 ** 21 }

/** The number of records above which a page has links to the months of its records. */
const MIN_RECORDS_WITH_MONTHS = 30

interface ArchiveOptions {
  viewer: MemberContext
  sections: readonly DataExportSection[]
  site: Omit<DataExportCommonPageData, 'title'>
  zip: ZipWriter
  /**
   * Called after each page of records. `records` is the number of records written so far. The function throws
   * an error to stop the export.
   */
  onProgress(records: number): Promise<void>
}

/**
 * Writes the content of a member's archive into the ZIP file: pages, JSON files, pictures and other files.
 * Reads and writes one page of records at a time, so that other requests can run in between. If the member
 * may no longer read a document, the archive does not contain the document, or contains only its first pages.
 */
export async function writeDataExportArchive(options: ArchiveOptions) {
  const { viewer, sections, zip } = options
  const { id, name } = await readMe(viewer)
  const { lang, app, madeAt, times } = options.site
  const site = { ...options.site, title: dataExportArchiveTexts[lang].title(name, app) }
  const writer = new DocumentWriter({ ...options, site })
  const index: object[] = []
  const shown: DataExportStartPageSection[] = []
  for (const { title, documents } of sections) {
    const listed: ListedDataExportDocument[] = []
    for await (const document of documents(viewer, lang)) {
      const written = await writer.write(document)
      index.push({ section: title[lang], ...document.data, ...toIndexEntry(written) })
      if (document.layout !== 'start') listed.push(written)
    }
    shown.push({ title: title[lang], documents: listed })
  }
  const manifest = {
    format: 'engawa-export',
    version: 1,
    app,
    language: lang,
    time_zone_of_pages: times.timeZone,
    made_at: madeAt,
    member: { id, name },
    documents: index,
    missing: writer.missing,
  }
  await zip.add('data/index.json', `${JSON.stringify(manifest, null, 2)}\n`)
  await zip.add('README.txt', `\uFEFF${dataExportArchiveReadme.replaceAll('\n', '\r\n')}`)
  await zip.add('index.html', renderDataExportStartPage(site, writer.startRecords, shown))
}

/** A document that was written into the archive, with the paths of its JSON files in the archive. */
interface WrittenDocument extends ListedDataExportDocument {
  data: readonly string[]
}

/** Returns the entry of a document for data/index.json, the table of contents of the archive. */
const toIndexEntry = ({ title, records, range, pages, data }: WrittenDocument) => ({
  title,
  records,
  ...range,
  pages: pages.map(({ path }) => `${path}.html`),
  data,
})

type WriterOptions = Omit<ArchiveOptions, 'site'> & { site: DataExportCommonPageData }

/** Writes the documents of an archive: their pages, JSON files, pictures and other files. */
class DocumentWriter {
  /** The records of the documents that the start page of the archive shows. */
  readonly startRecords: DataExportArchiveRecord[] = []
  /**
   * The names of pictures and other files that are missing in the archive, because the media storage no
   * longer has them.
   */
  readonly missing: string[] = []
  /**
   * A map from the name of a picture or another file in the media storage to whether the archive contains the
   * file.
   */
  private readonly pictures = new Map<string, boolean>()
  private readonly options: WriterOptions
  private records = 0

  constructor(options: WriterOptions) {
    this.options = options
  }

  async write(document: DataExportRecordList): Promise<WrittenDocument> {
    const output = new DocumentOutput(this.options, document)
    try {
      for await (const records of document.pages()) {
        for (const record of records) {
          const archived = await this.archive(record)
          if (document.layout === 'start') this.startRecords.push(archived)
          await output.add(archived)
        }
        this.records += records.length
        await this.options.onProgress(this.records)
        await nextTurn()
      }
    } catch (error) {
      // Ends the document after a 403 or 404 error: the member can no longer read the document, for example
      // because the group was deleted.
      if (!(error instanceof HttpError) || ![403, 404].includes(error.status)) throw error
    }
    return output.end()
  }

  private async archive({
    pictures = [],
    files = [],
    ...record
  }: DataExportRecord): Promise<DataExportArchiveRecord> {
    const archived = {
      ...record,
      pictures: [] as DataExportArchivePicture[],
      files: [] as DataExportArchiveAttachedFile[],
    }
    for (const picture of pictures) archived.pictures.push(await this.archivePicture(picture))
    for (const file of files) archived.files.push(await this.archiveFile(file))
    return archived
  }

  /**
   * Adds an attached file to the archive once, in a folder of its own, so that files with the same name do
   * not replace each other. Returns the file with its path in the archive; null instead of the path if the
   * file is missing.
   */
  private async archiveFile({ file, name }: DataExportAttachedFile): Promise<DataExportArchiveAttachedFile> {
    const path = `files/${file.slice(0, 12)}/${toSafeFileName(name)}`
    return { name, path: (await this.addOnce(file, path)) ? path : null }
  }

  /**
   * Adds the file of a picture to the archive once. Pictures are read one after the other, so only one is in
   * memory. Returns the picture with its path in the archive; null instead of the path if the file is
   * missing.
   */
  private async archivePicture({ file, ...picture }: DataExportPicture) {
    const path = `pictures/${file}`
    return { path: (await this.addOnce(file, path)) ? path : null, ...picture }
  }

  /**
   * Adds a file of the media storage to the archive, unless the archive has the file already. Returns false
   * if the media storage does not have the file.
   */
  private async addOnce(file: string, path: string) {
    const { viewer, zip } = this.options
    if (!this.pictures.has(file)) {
      const bytes = await viewer.storage.read(await findStoredFileName(viewer.db, file))
      if (bytes) await zip.add(path, bytes)
      else this.missing.push(file)
      this.pictures.set(file, bytes !== null)
    }
    return this.pictures.get(file)!
  }
}

/**
 * Writes one document of the archive. Collects the records of the document, and writes each full page as a
 * JSON file and, unless the layout is `start`, as an HTML file.
 */
class DocumentOutput {
  private readonly options: WriterOptions
  private readonly document: DataExportRecordList
  private readonly pages: ListedDataExportDocument['pages'][number][] = []
  private readonly data: string[] = []
  private records = 0
  private range: DataExportTimeRange | null = null
  private page = new PageContent()

  constructor(options: WriterOptions, document: DataExportRecordList) {
    this.options = options
    this.document = document
  }

  async add(record: DataExportArchiveRecord) {
    const { json, characters } = this.page
    if (json.length >= PAGE_LIMITS.records || characters >= PAGE_LIMITS.characters) await this.writePage(true)
    this.page.add(record, this.document, this.options.site)
    if (record.time) this.range = extendRange(this.range, record.time)
    this.records++
  }

  /**
   * Writes the last page of the document. A document without records gets a JSON file with an empty list, and
   * no HTML page.
   */
  async end(): Promise<WrittenDocument> {
    await this.writePage(false)
    const { pages, data, records, range } = this
    return { title: this.document.title, records, range, pages, data }
  }

  private async writePage(hasNext: boolean) {
    const { zip, site } = this.options
    const { json, items, months, range } = this.page
    const { layout, path } = this.document
    const number = this.data.length + 1
    const pathOf = (page: number) => (page === 1 ? path : `${path}-${page}`)
    const data = `data/${pathOf(number)}.json`
    this.data.push(data)
    await zip.add(data, `[${json.join(',\n')}]\n`)
    if (layout !== 'start' && items.length) {
      const page = {
        path: pathOf(number),
        number,
        previous: number > 1 ? pathOf(number - 1) : null,
        next: hasNext ? pathOf(number + 1) : null,
        items: items.join(''),
        months: items.length > MIN_RECORDS_WITH_MONTHS ? [...months.values()] : [],
      }
      this.pages.push({ path: page.path, range })
      await zip.add(`${page.path}.html`, renderDataExportDocumentPage(site, this.document, page))
    }
    this.page = new PageContent()
  }
}

/** The records of one page of a document, as HTML and as JSON. */
class PageContent {
  readonly items: string[] = []
  readonly json: string[] = []
  /**
   * A map from each month, such as `2026-05`, to the HTML id and the time of its first record on the page.
   */
  readonly months = new Map<string, { anchor: string; time: string }>()
  range: DataExportTimeRange | null = null
  characters = 0
  private previous: DataExportArchiveRecord | null = null

  add(
    record: DataExportArchiveRecord,
    { path, layout }: DataExportRecordList,
    site: DataExportCommonPageData,
  ) {
    const pictures = record.pictures.map(({ path, alt }) => ({ file: path, alt }))
    const files = record.files.map(({ path, name }) => ({ file: path, name }))
    const json = JSON.stringify({
      ...record.data,
      ...(pictures.length && { pictures }),
      ...(files.length && { files }),
    })
    const anchor = record.time ? this.addTime(record.time, site) : null
    const item = renderDataExportRecordListItem(
      record,
      { path, layout, anchor, previous: this.previous },
      site,
    )
    this.json.push(json)
    this.items.push(item)
    this.characters += json.length + item.length
    this.previous = record
  }

  /**
   * Extends the time range of the page to this time. If the record is the first one of its month on the page,
   * stores the month, and returns the HTML id for the record; otherwise returns null.
   */
  private addTime(time: string, { times }: DataExportCommonPageData) {
    this.range = extendRange(this.range, time)
    const month = times.toIsoDay(time).slice(0, 7)
    if (this.months.has(month)) return null
    const anchor = `month-${month}`
    this.months.set(month, { anchor, time })
    return anchor
  }
}

/**
 * Returns the time range, extended so that it contains the time. Times in ISO 8601 can be compared as texts.
 */
const extendRange = (range: DataExportTimeRange | null, time: string): DataExportTimeRange => ({
  from: range && range.from < time ? range.from : time,
  to: range && range.to > time ? range.to : time,
})

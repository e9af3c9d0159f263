import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MemberContext } from '#core/context.ts'
import type {
  ExportFile,
  ExportList,
  ExportPicture,
  ExportRecord,
  ExportSection,
} from '#core/feature/exports.ts'
import { HttpError } from '#core/http/errors.ts'
import { findStoredName } from '#core/media/references.ts'
import { toSafeFileName } from '#core/text/file-names.ts'
import * as people from '#features/people/read.ts'
import {
  type ListedDocument,
  renderDocument,
  renderStart,
  type SiteData,
  type StartSection,
  type TimeRange,
} from './html.ts'
import { type ArchiveFile, type ArchivePicture, type ArchiveRecord, renderItem } from './records-html.ts'
import { archiveReadme, archiveTexts } from './text.ts'
import type { ZipWriter } from './zip.ts'

/** For an HTML page and its JSON file, which end after the record that reaches one of the two. */
const PAGE_LIMITS = { records: 1000, characters: 2 ** 21 }

/** From more records on, a page has links to its months. */
const MIN_RECORDS_WITH_MONTHS = 30

interface ArchiveOptions {
  viewer: MemberContext
  sections: readonly ExportSection[]
  site: Omit<SiteData, 'title'>
  zip: ZipWriter
  /** After each page, with the records written so far. Throws to stop the export. */
  onProgress(records: number): Promise<void>
}

/**
 * One page of records at a time, so that other requests run in between. A document that the member may no
 * longer read is left out, or ends with its first pages.
 */
export async function writeArchive(options: ArchiveOptions) {
  const { viewer, sections, zip } = options
  const { id, name } = await people.getMe(viewer)
  const { lang, app, madeAt, times } = options.site
  const site = { ...options.site, title: archiveTexts[lang].title(name, app) }
  const writer = new DocumentWriter({ ...options, site })
  const index: object[] = []
  const shown: StartSection[] = []
  for (const { title, documents } of sections) {
    const listed: ListedDocument[] = []
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
  await zip.add('README.txt', `\uFEFF${archiveReadme.replaceAll('\n', '\r\n')}`)
  await zip.add('index.html', renderStart(site, writer.startRecords, shown))
}

/** `data`: paths of its JSON files. */
interface WrittenDocument extends ListedDocument {
  data: readonly string[]
}

/** For data/index.json. */
const toIndexEntry = ({ title, records, range, pages, data }: WrittenDocument) => ({
  title,
  records,
  ...range,
  pages: pages.map(({ path }) => `${path}.html`),
  data,
})

type WriterOptions = Omit<ArchiveOptions, 'site'> & { site: SiteData }

class DocumentWriter {
  /** For the start page of the archive. */
  readonly startRecords: ArchiveRecord[] = []
  /** Files that the media storage no longer has. */
  readonly missing: string[] = []
  /** By file name in the media storage; false: missing. */
  private readonly pictures = new Map<string, boolean>()
  private readonly options: WriterOptions
  private records = 0

  constructor(options: WriterOptions) {
    this.options = options
  }

  async write(document: ExportList): Promise<WrittenDocument> {
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
      // 403 or 404: the member can no longer read the document, for example of a deleted group.
      if (!(error instanceof HttpError) || ![403, 404].includes(error.status)) throw error
    }
    return output.end()
  }

  private async archive({ pictures = [], files = [], ...record }: ExportRecord): Promise<ArchiveRecord> {
    const archived = {
      ...record,
      pictures: [] as ArchivePicture[],
      files: [] as ArchiveFile[],
    }
    for (const picture of pictures) archived.pictures.push(await this.archivePicture(picture))
    for (const file of files) archived.files.push(await this.archiveFile(file))
    return archived
  }

  /** Once, in a folder of its own: names may be the same. `path` is null if the file is missing. */
  private async archiveFile({ file, name }: ExportFile): Promise<ArchiveFile> {
    const path = `files/${file.slice(0, 12)}/${toSafeFileName(name)}`
    return { name, path: (await this.addOnce(file, path)) ? path : null }
  }

  /** Once, and one after the other, so only one is in memory. `path` is null if the file is missing. */
  private async archivePicture({ file, ...picture }: ExportPicture) {
    const path = `pictures/${file}`
    return { path: (await this.addOnce(file, path)) ? path : null, ...picture }
  }

  /** False if the media storage does not have the file. */
  private async addOnce(file: string, path: string) {
    const { viewer, zip } = this.options
    if (!this.pictures.has(file)) {
      const bytes = await viewer.storage.read(await findStoredName(viewer.db, file))
      if (bytes) await zip.add(path, bytes)
      else this.missing.push(file)
      this.pictures.set(file, bytes !== null)
    }
    return this.pictures.get(file)!
  }
}

/** Each full page is a JSON file and, unless the layout is `start`, an HTML file. */
class DocumentOutput {
  private readonly options: WriterOptions
  private readonly document: ExportList
  private readonly pages: ListedDocument['pages'][number][] = []
  private readonly data: string[] = []
  private records = 0
  private range: TimeRange | null = null
  private page = new PageContent()

  constructor(options: WriterOptions, document: ExportList) {
    this.options = options
    this.document = document
  }

  async add(record: ArchiveRecord) {
    const { json, characters } = this.page
    if (json.length >= PAGE_LIMITS.records || characters >= PAGE_LIMITS.characters) await this.writePage(true)
    this.page.add(record, this.document, this.options.site)
    if (record.time) this.range = extendRange(this.range, record.time)
    this.records++
  }

  /** A document without records gets a JSON file with an empty list, and no HTML page. */
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
      await zip.add(`${page.path}.html`, renderDocument(site, this.document, page))
    }
    this.page = new PageContent()
  }
}

class PageContent {
  readonly items: string[] = []
  readonly json: string[] = []
  /** By month, such as `2026-05`: HTML id and time of its first record on the page. */
  readonly months = new Map<string, { anchor: string; time: string }>()
  range: TimeRange | null = null
  characters = 0
  private previous: ArchiveRecord | null = null

  add(record: ArchiveRecord, { path, layout }: ExportList, site: SiteData) {
    const pictures = record.pictures.map(({ path, alt }) => ({ file: path, alt }))
    const files = record.files.map(({ path, name }) => ({ file: path, name }))
    const json = JSON.stringify({
      ...record.data,
      ...(pictures.length && { pictures }),
      ...(files.length && { files }),
    })
    const anchor = record.time ? this.addTime(record.time, site) : null
    const item = renderItem(record, { path, layout, anchor, previous: this.previous }, site)
    this.json.push(json)
    this.items.push(item)
    this.characters += json.length + item.length
    this.previous = record
  }

  /** Returns an HTML id for the first record of a month on the page, otherwise null. */
  private addTime(time: string, { times }: SiteData) {
    this.range = extendRange(this.range, time)
    const month = times.toIsoDay(time).slice(0, 7)
    if (this.months.has(month)) return null
    const anchor = `month-${month}`
    this.months.set(month, { anchor, time })
    return anchor
  }
}

/** Times in ISO 8601 can be compared as texts. */
const extendRange = (range: TimeRange | null, time: string): TimeRange => ({
  from: range && range.from < time ? range.from : time,
  to: range && range.to > time ? range.to : time,
})

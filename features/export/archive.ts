import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MemberContext } from '#core/context.ts'
import type { ExportDocument, ExportPicture, ExportRecord, ExportSection } from '#core/exports.ts'
import { HttpError } from '#core/http/errors.ts'
import { readMe } from '#features/people/read.ts'
import {
  type ArchivedRecord,
  type ArchivePageInfo,
  renderDocumentPage,
  renderRecord,
  renderStartPage,
  type StartPageSection,
} from './html.ts'
import { archiveTexts, readme } from './text.ts'
import type { ZipWriter } from './zip.ts'

/** A page and a JSON file end after so many records or characters, whichever comes first. */
const PAGE_LIMITS = { records: 1000, characters: 2 ** 21 }

/** A document in data/index.json. */
interface IndexEntry {
  title: string
  records: number
  pages: string[]
  data: string[]
}

export interface ArchiveOptions {
  viewer: MemberContext
  sections: readonly ExportSection[]
  site: ArchivePageInfo
  zip: ZipWriter
  /** Called after each page of records with the number of records so far. May throw, to give up. */
  onProgress(records: number): Promise<void>
}

/**
 * Writes the archive of a member. Reads and writes one page of records at a time, and lets other requests run
 * between them. A document that the member may no longer read is left out, or ends there.
 */
export async function writeArchive(options: ArchiveOptions) {
  const { viewer, sections, site, zip } = options
  const writer = new DocumentWriter(options)
  const index: (IndexEntry & { section: string })[] = []
  const shown: StartPageSection[] = []
  for (const { title, documents } of sections) {
    const section = { title: title[site.lang], documents: [] as StartPageSection['documents'][number][] }
    for await (const document of documents(viewer, site.lang)) {
      const entry = await writer.write(document)
      index.push({ section: section.title, ...document.data, ...entry })
      if (document.layout !== 'start')
        section.documents.push({ title: document.title, path: document.path, records: entry.records })
    }
    shown.push(section)
  }
  const { id, name } = await readMe(viewer)
  const manifest = {
    format: 'engawa-export',
    version: 1,
    app: site.app,
    language: site.lang,
    made_at: site.madeAt,
    member: { id, name },
    documents: index,
    missing: writer.missing,
  }
  await zip.add('data/index.json', `${JSON.stringify(manifest, null, 2)}\n`)
  await zip.add('README.txt', `\uFEFF${readme.replaceAll('\n', '\r\n')}`)
  const title = archiveTexts[site.lang].title(name, site.app)
  await zip.add('index.html', renderStartPage(site, title, writer.startRecords, shown))
}

/** Writes documents with their pages, JSON files and pictures. */
class DocumentWriter {
  /** The records of the start page. */
  readonly startRecords: ArchivedRecord[] = []
  /** The names of pictures whose file no longer exists. */
  readonly missing: string[] = []
  /** Whether each picture is in the archive, by the name of its file. */
  private readonly pictures = new Map<string, boolean>()
  private readonly options: ArchiveOptions
  private records = 0

  constructor(options: ArchiveOptions) {
    this.options = options
  }

  /** Writes a document, and returns its entry in data/index.json. */
  async write(document: ExportDocument): Promise<IndexEntry> {
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
      // The member has lost the access meanwhile, for example because the group was deleted.
      if (!(error instanceof HttpError) || ![403, 404].includes(error.status)) throw error
    }
    return output.end()
  }

  private async archive({ pictures = [], ...record }: ExportRecord): Promise<ArchivedRecord> {
    const archived = []
    for (const picture of pictures) archived.push(await this.archivePicture(picture))
    return { ...record, pictures: archived }
  }

  /** Adds the file of a picture once. Pictures are read one after the other, so only one is in memory. */
  private async archivePicture({ file, alt }: ExportPicture) {
    const { viewer, zip } = this.options
    const path = `pictures/${file}`
    if (!this.pictures.has(file)) {
      const bytes = await viewer.storage.read(file)
      if (bytes) await zip.add(path, bytes)
      else this.missing.push(file)
      this.pictures.set(file, bytes !== null)
    }
    return { path: this.pictures.get(file) ? path : null, alt }
  }
}

/** Collects the records of one page of a document, and writes the page when it is full. */
class DocumentOutput {
  private readonly options: ArchiveOptions
  private readonly document: ExportDocument
  private readonly entry: IndexEntry
  private items: string[] = []
  private json: string[] = []
  private characters = 0

  constructor(options: ArchiveOptions, document: ExportDocument) {
    this.options = options
    this.document = document
    this.entry = { title: document.title, records: 0, pages: [], data: [] }
  }

  async add(record: ArchivedRecord) {
    const isFull = this.json.length >= PAGE_LIMITS.records || this.characters >= PAGE_LIMITS.characters
    if (isFull) await this.writePage(true)
    const pictures = record.pictures.map(({ path, alt }) => ({ file: path, alt }))
    const json = JSON.stringify({ ...record.data, ...(pictures.length && { pictures }) })
    const item = renderRecord(record, this.document.path, this.options.site.lang)
    this.json.push(json)
    this.items.push(item)
    this.characters += json.length + item.length
    this.entry.records++
  }

  /** Writes the last page, which may be empty. */
  async end() {
    await this.writePage(false)
    return this.entry
  }

  private async writePage(hasNext: boolean) {
    const { zip, site } = this.options
    const { layout, path } = this.document
    const number = this.entry.data.length + 1
    const pathOf = (page: number) => (page === 1 ? path : `${path}-${page}`)
    const data = `data/${pathOf(number)}.json`
    this.entry.data.push(data)
    await zip.add(data, `[${this.json.join(',\n')}]\n`)
    if (layout !== 'start') {
      const page = {
        path: pathOf(number),
        number,
        previous: number > 1 ? pathOf(number - 1) : null,
        next: hasNext ? pathOf(number + 1) : null,
        items: this.items.join(''),
      }
      this.entry.pages.push(`${page.path}.html`)
      await zip.add(`${page.path}.html`, renderDocumentPage(site, this.document, page))
    }
    this.json = []
    this.items = []
    this.characters = 0
  }
}

import { basename } from 'node:path'
import type { MemberContext } from '#core/context.ts'
import type { Language, LocalizedSentence, PageParameters } from '#core/contract.ts'
import type { PagedResponse } from '#core/http/pagination.ts'

// The parts that features add to the archive of a member's data. features/export writes the archive.

/** A picture of a record. */
export interface ExportPicture {
  /** The name of the file in the media storage: the largest stored size. */
  file: string
  alt: string | null
}

/** One row of the member's data: a post, a message, a session … */
export interface ExportRecord {
  /** The record in the JSON file. The archive adds `pictures` with the names of the picture files. */
  data: object
  /**
   * The first line of the record on the page, in the member's language. The page leaves out missing parts.
   */
  heading?: string | undefined
  /** A time in ISO 8601. */
  time?: string | undefined
  text?: string | null | undefined
  facts?: readonly (readonly [label: string, value: string])[]
  pictures?: readonly ExportPicture[]
  /** A short line below the rest, such as the number of likes. */
  note?: string | undefined
  /** Whether the member wrote this message. */
  isOwn?: boolean
}

/** A list of records, which becomes one or more HTML pages and JSON files with the same records. */
export interface ExportDocument {
  /** The path of its files without extension, of a-z, 0-9, `-` and `/`, such as `chats/group-7`. */
  path: string
  title: string
  /** `start` is shown on the start page itself, and has few records. */
  layout: 'start' | 'list' | 'messages'
  /** Further fields of the document in the table of contents in JSON, besides its title. */
  data?: object
  /** Reads the records as the member, page by page. */
  pages(): AsyncIterable<readonly ExportRecord[]>
}

/** The part of a feature in the archive. */
export interface ExportSection {
  title: LocalizedSentence
  /** Returns about how many records the section has, for the progress. */
  count(viewer: MemberContext): Promise<number>
  documents(viewer: MemberContext, lang: Language): AsyncIterable<ExportDocument>
}

/** The number of records that one query reads. */
const PAGE_SIZE = 100

/** Yields all pages of a list with a keyset cursor. `first` is the cursor of the first page. */
export async function* readAllPages<T>(
  readPage: (page: PageParameters) => Promise<PagedResponse<T>>,
  first: Omit<PageParameters, 'limit'> = {},
): AsyncGenerator<T> {
  let cursor: Omit<PageParameters, 'limit'> | null = first
  while (cursor) {
    const { body, next }: PagedResponse<T> = await readPage({ ...cursor, limit: PAGE_SIZE })
    yield body
    cursor = next
  }
}

/** Yields one page of records. For lists that one query reads. */
export async function* readSinglePage<T>(read: () => Promise<T>) {
  yield await read()
}

/** Returns the picture with this URL of the media service, or no picture for null. */
export const toExportPictures = (url: string | null, alt: string | null = null): ExportPicture[] =>
  url === null ? [] : [{ file: basename(url), alt }]

const timeFormats = Object.fromEntries(
  (['en', 'ja'] as const).map((lang) => [
    lang,
    new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
  ]),
) as Record<Language, Intl.DateTimeFormat>

/** Returns a time in ISO 8601 as a reader writes it, in UTC: the archive is read in any time zone. */
export const formatExportTime = (time: string, lang: Language) =>
  `${timeFormats[lang].format(new Date(time))} UTC`

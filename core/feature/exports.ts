import { basename } from 'node:path'
import type { MemberContext } from '#core/context.ts'
import type { Language, Sentence } from '#core/contract.ts'
import type { PagedResponse } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'

// The parts that features add to the archive of a member's data. features/export writes the archive.

export interface ExportPicture {
  /** The name of the picture's largest file in the media storage. */
  file: string
  alt: string | null
  /** The size in pixels of the uploaded picture. `file` may be smaller, but has the same proportions. */
  size?: { width: number; height: number }
}

export interface ExportFile {
  /** The name of the file in the media storage. */
  file: string
  /** The name under which the archive contains the file. */
  name: string
}

/** A line of a record. A time in ISO 8601 is shown in the language and the time zone of the archive. */
export type ExportValue = readonly [label: string, value: string | { time: string }]

/** One row of the member's data: a post, a message, a session … */
export interface ExportRecord {
  /**
   * The fields of the record in the JSON file. The archive adds the paths of its pictures and files as
   * `pictures` and `files`.
   */
  data: object
  /**
   * The first line of the record on the HTML page, in the member's language. The page leaves out the parts of
   * a record that are undefined.
   */
  heading?: string | undefined
  /** The time of the record, in ISO 8601, such as the time at which the member wrote it. */
  time?: string | undefined
  text?: string | null | undefined
  facts?: readonly ExportValue[]
  pictures?: readonly ExportPicture[]
  files?: readonly ExportFile[]
  /** A short line below the other parts of the record, such as the number of likes. */
  note?: string | undefined
  /** Whether the member whose data is exported wrote this message. */
  isOwn?: boolean
}

/** A list of records, which becomes one or more HTML pages and JSON files with the same records. */
export interface ExportList {
  /**
   * The path of the list's files in the archive, without extension, of a-z, 0-9, `-` and `/`, such as
   * `chats/group-7`.
   */
  path: string
  title: string
  /**
   * The place of the records: `start` is the start page of the archive, for few records. `list` and
   * `messages` are pages of their own, which show the records as a list or as a chat.
   */
  layout: 'start' | 'list' | 'messages'
  /** Further fields of this list in the JSON table of contents of the archive, besides its title. */
  data?: object
  /** Reads the records of the list page by page, with the rights of the member. */
  pages(): AsyncIterable<readonly ExportRecord[]>
}

export interface ExportSection {
  title: Sentence
  /** Returns the approximate number of records of the section, so that the export can show its progress. */
  count(viewer: MemberContext): Promise<number>
  documents(viewer: MemberContext, lang: Language): AsyncIterable<ExportList>
}

const PAGE_SIZE = 100

/** Yields all pages of a list with a keyset cursor. `first` is the cursor of the first page. */
export async function* yieldPages<T>(
  readPage: (page: PageParams) => Promise<PagedResponse<T>>,
  first: Omit<PageParams, 'limit'> = {},
): AsyncGenerator<T> {
  let cursor: Omit<PageParams, 'limit'> | null = first
  while (cursor) {
    const { body, next }: PagedResponse<T> = await readPage({ ...cursor, limit: PAGE_SIZE })
    yield body
    cursor = next
  }
}

/** Yields the result of one query as the only page of a list, for a list that needs no further pages. */
export async function* yieldOnePage<T>(read: () => Promise<T>) {
  yield await read()
}

/** Returns a list with the picture that has this URL of the media service; an empty list for null. */
export const exportPictureOf = (
  url: string | null,
  more: Partial<Omit<ExportPicture, 'file'>> = {},
): ExportPicture[] => (url === null ? [] : [{ file: basename(url), alt: null, ...more }])

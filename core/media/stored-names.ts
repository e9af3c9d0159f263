/** One kind of file in the storage of pictures (a folder or a bucket). */
interface StoredFileKind {
  /** Matches the names of the files. Its group, if any, is the name of the row in `media`. */
  pattern: RegExp
  contentType: string
  /** Whether a row in `media` names the file, so that a backup, a restore and a move carry it. */
  isNamedByMediaRow: boolean
}

/**
 * The list of everything that can be stored. The storage, the clean-up, the backup, the restore and the move
 * take the kinds of files from here, and refuse or leave alone what is not in it.
 */
const storedFileKinds = {
  picture: { pattern: /^(\w+)-\d{1,5}\.webp$/, contentType: 'image/webp', isNamedByMediaRow: true },
  /** A file that is stored as it was uploaded: of a message, or a recording. */
  original: { pattern: /^(\w+)-original$/, contentType: 'application/octet-stream', isNamedByMediaRow: true },
  /** A part of an archive of a member's data, in a bucket. Backups have no archives. */
  archive: {
    pattern: /^export-[\w-]+-\d+$/,
    contentType: 'application/octet-stream',
    isNamedByMediaRow: false,
  },
  /** The file that says to which community the storage belongs: see marker.ts. */
  marker: { pattern: /^community$/, contentType: 'text/plain', isNamedByMediaRow: false },
} as const satisfies Record<string, StoredFileKind>

/** Returns the kind of the file with this name; undefined if such a file is never stored. */
const findStoredFileKind = (name: string): StoredFileKind | undefined =>
  Object.values(storedFileKinds).find(({ pattern }) => pattern.test(name))

/** Returns the content type of a stored file. Throws if the storage has no files with such a name. */
export function requireStoredFileContentType(name: string) {
  const kind = findStoredFileKind(name)
  if (!kind) throw new Error(`core/media/stored-names.ts has no kind of file for the name ${name}.`)
  return kind.contentType
}

/** Returns the name of the row in `media` to which a stored file belongs; null if it belongs to none. */
export const findMediaNameOfStoredFile = (name: string) =>
  findStoredFileKind(name)?.pattern.exec(name)?.[1] ?? null

/** Whether the storage keeps the file although no row in `media` names it. */
export const isStoredWithoutMediaRow = (name: string) => findStoredFileKind(name)?.isNamedByMediaRow === false

export const toPictureStorageName = (name: string, width: number | string) => `${name}-${width}.webp`

/** Returns the name in the storage of a file that is stored as it was uploaded. */
export const toNonPictureStorageName = (name: string) => `${name}-original`

/** Returns the name in the bucket of a part of an archive. */
export const toArchivePartStorageName = (name: string, part: number) => `export-${name}-${part}`

export const MARKER_STORAGE_NAME = 'community'

/** Returns the names in the storage of all files of a row in `media` or `pending_media`. */
export const listStorageNamesOfMediaItem = (name: string, widths: string) =>
  widths
    ? widths.split(',').map((width) => toPictureStorageName(name, width))
    : [toNonPictureStorageName(name)]

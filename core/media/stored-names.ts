interface StoredFileKind {
  /** Its group, if any, is the name of the row in `media`. */
  pattern: RegExp
  contentType: string
  /** True if a backup, a restore and a move carry the file. */
  isNamedByMediaRow: boolean
}

/** Everything that can be stored. Clean-up, backup, restore and move refuse or leave alone the rest. */
const storedFileKinds = {
  picture: { pattern: /^(\w+)-\d{1,5}\.webp$/, contentType: 'image/webp', isNamedByMediaRow: true },
  /** As it was uploaded: a file of a message, or a recording. */
  original: { pattern: /^(\w+)-original$/, contentType: 'application/octet-stream', isNamedByMediaRow: true },
  /** An archive of a member's data, in a bucket. Backups have none. */
  archive: {
    pattern: /^export-[\w-]+-\d+$/,
    contentType: 'application/octet-stream',
    isNamedByMediaRow: false,
  },
  marker: { pattern: /^community$/, contentType: 'text/plain', isNamedByMediaRow: false },
} as const satisfies Record<string, StoredFileKind>

const findStoredFileKind = (name: string): StoredFileKind | undefined =>
  Object.values(storedFileKinds).find(({ pattern }) => pattern.test(name))

/** Throws if the storage has no files with such a name. */
export function requireContentType(name: string) {
  const kind = findStoredFileKind(name)
  if (!kind) throw new Error(`core/media/stored-names.ts has no kind of file for the name ${name}.`)
  return kind.contentType
}

/** Null if the file belongs to no row in `media`. */
export const findMedia = (name: string) => findStoredFileKind(name)?.pattern.exec(name)?.[1] ?? null

export const needsNoRow = (name: string) => findStoredFileKind(name)?.isNamedByMediaRow === false

export const ofPicture = (name: string, width: number | string) => `${name}-${width}.webp`

export const ofFile = (name: string) => `${name}-original`

export const ofArchivePart = (name: string, part: number) => `export-${name}-${part}`

export const MARKER = 'community'

/** For a row in `media` or `pending_media`. */
export const list = (name: string, widths: string) =>
  widths ? widths.split(',').map((width) => ofPicture(name, width)) : [ofFile(name)]

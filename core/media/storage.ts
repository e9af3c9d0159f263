import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { BadSetting, type Config } from '#core/config.ts'
import { folderStorage } from '#core/media/folder.ts'

/** The files of pictures. Names are flat (`0a1b…-960.webp`), and the content of a name never changes. */
export interface MediaStorage {
  /** The folder of a FolderStorage; null for an S3Storage. */
  readonly folder: string | null
  /** Stores a file durably. Where it throws, a folder does not hold the file; a bucket may still store it. */
  write(name: string, bytes: Buffer): Promise<void>
  /** Does nothing where there is no such file. */
  remove(name: string): Promise<void>
  /** null where there is no such file. */
  read(name: string): Promise<Buffer | null>
  /** All files, in no particular order. */
  list(): AsyncIterable<{ name: string; bytes: number }>
  /** Throws where the storage cannot be reached. */
  check(): Promise<void>
}

/** A folder of this machine. Its files are served directly. */
export interface FolderStorage extends MediaStorage {
  readonly folder: string
}

export interface FileInfo {
  etag: string
  modified: Date
  bytes: number
}
/** A bucket of an S3-compatible service. Its files are passed on to clients. */
export interface S3Storage extends MediaStorage {
  readonly folder: null
  /** null where there is no such file. */
  stat(name: string): Promise<FileInfo | null>
  /**
   * A file, or a `range` of it (`bytes=10-29`), which the result describes in `range` and `bytes`. null where
   * there is no such file. Throws an error with `statusCode` 416 where the file has no such range.
   */
  stream(
    name: string,
    options: { range?: string | undefined; signal: AbortSignal },
  ): Promise<(FileInfo & { range: string | null; body: Readable }) | null>
  close(): void
}

/** Opens the storage that the settings name. Throws BadSetting where it cannot be reached. */
export async function openStorage({
  DATA_DIR,
  MEDIA_URL,
  AWS_REGION,
}: Pick<Config, 'DATA_DIR' | 'MEDIA_URL' | 'AWS_REGION'>) {
  if (!MEDIA_URL) return folderStorage(join(DATA_DIR, 'media'), join(DATA_DIR, 'scratch'))
  // The SDK is twenty packages and as many megabytes. A process with a folder does not load it.
  const { s3Storage } = await import('#core/media/s3.ts')
  const storage = s3Storage(MEDIA_URL, { region: AWS_REGION })
  await storage.check().catch((error: Error) => {
    throw new BadSetting(
      'MEDIA_URL takes a bucket that lets itself be listed with the AWS variables that are set ' +
        `(${error.message}).`,
    )
  })
  return storage
}

export function closeStorage(storage: FolderStorage | S3Storage) {
  if (storage.folder === null) storage.close()
}

import type { Readable } from 'node:stream'

/**
 * The place where pictures and other files are stored. Names are flat (`0a1b…-960.webp`), and the content of
 * a file never changes. stored-names.ts lists the kinds of names; `write` and `writeFile` throw for others.
 */
export interface MediaStorage {
  /** The path of the folder of a FolderMediaStorage; null for an S3MediaStorage. */
  readonly folder: string | null
  /**
   * Stores a file durably. If it throws, a folder does not hold the file, but a bucket may still store it.
   */
  write(name: string, bytes: Buffer): Promise<void>
  /** Stores the file at `path` durably, as `write` does, without reading the file into memory. */
  writeFile(name: string, path: string): Promise<void>
  /** Deletes a file. Does nothing if the file does not exist. */
  remove(name: string): Promise<void>
  /** Returns the content of a file; null if the file does not exist. */
  read(name: string): Promise<Buffer | null>
  /** Resolves to whether a file exists. */
  has(name: string): Promise<boolean>
  /** Lists all files, in no particular order. */
  list(): AsyncIterable<{ name: string; bytes: number }>
  /** Checks the connection. Throws if the storage cannot be reached. */
  check(): Promise<void>
}

/** A storage in a folder of this machine. The server sends the files from there. */
export interface FolderMediaStorage extends MediaStorage {
  readonly folder: string
  close(): void
}

/** The properties of a file in the bucket. */
export interface S3FileEtagDateAndSize {
  etag: string
  modified: Date
  bytes: number
}
/**
 * A storage in a bucket of an S3-compatible service. The server reads each file from the bucket and passes it
 * on to the client.
 */
export interface S3MediaStorage extends MediaStorage {
  readonly folder: null
  /** Returns the properties of a file; null if the file does not exist. */
  stat(name: string): Promise<S3FileEtagDateAndSize | null>
  /**
   * Returns a file, or a `range` of it (`bytes=10-29`), which the result describes in `range` and `bytes`;
   * null if there is no such file. Throws an error with `statusCode` 416 if the file has no such range.
   */
  stream(
    name: string,
    options: { range?: string | undefined; signal: AbortSignal },
  ): Promise<(S3FileEtagDateAndSize & { range: string | null; body: Readable }) | null>
  close(): void
}

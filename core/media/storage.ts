import type { Readable } from 'node:stream'

/** A file never changes. `write` throws for names (`0a1b…-960.webp`) that are not in stored-names.ts. */
export interface MediaStorage {
  /** Null for a bucket. */
  readonly folder: string | null
  /** Durable. If it throws, a folder does not hold the file, but a bucket may still store it. */
  write(name: string, bytes: Buffer): Promise<void>
  /** As `write`, without reading the file into memory. */
  writeFile(name: string, path: string): Promise<void>
  /** Does nothing if the file does not exist. */
  remove(name: string): Promise<void>
  /** Null if the file does not exist. */
  read(name: string): Promise<Buffer | null>
  has(name: string): Promise<boolean>
  /** In no particular order. */
  list(): AsyncIterable<{ name: string; bytes: number }>
  /** Throws if the storage cannot be reached. */
  check(): Promise<void>
}

export interface FolderStorage extends MediaStorage {
  readonly folder: string
  close(): void
}

export interface S3File {
  etag: string
  modified: Date
  bytes: number
}
/** In an S3-compatible service. The server reads each file from the bucket and passes it on. */
export interface S3Storage extends MediaStorage {
  readonly folder: null
  /** Null if the file does not exist. */
  stat(name: string): Promise<S3File | null>
  /** `range` is `bytes=10-29`. Null without such a file; an error with `statusCode` 416 without the range. */
  stream(
    name: string,
    options: { range?: string | undefined; signal: AbortSignal },
  ): Promise<(S3File & { range: string | null; body: Readable }) | null>
  close(): void
}

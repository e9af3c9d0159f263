import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { type PassThrough, Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'

export interface ZipWriter {
  /**
   * Adds a file with this path to the archive, and resolves when the bytes of the file have been passed to
   * the disk.
   */
  add(path: string, content: string | Buffer): Promise<void>
  /** Completes the archive. Resolves with the size of the archive in bytes when all bytes are on the disk. */
  end(): Promise<number>
  /** Stops writing, and closes the file of the unfinished archive. The caller deletes the file. */
  destroy(): void
}

/**
 * Matches the names of files that are not compressed in the archive: pictures, because WebP is compressed
 * already.
 */
const COMPRESSED = /\.webp$/

/**
 * Creates a writer for a ZIP archive at `path`, which only this user of the machine can read. The archive is
 * written as a stream: one file after the other, and never a whole archive in memory. yazl writes ZIP64 where
 * the archive needs it.
 */
export async function createZipWriter(path: string): Promise<ZipWriter> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
  const output = zip.outputStream as PassThrough
  const written = pipeline(output, file)
  // Ignores an error of the stream here, because `add` and `end` throw it. Otherwise Node would report an
  // unhandled rejection before they are called.
  written.catch(() => {})
  const failed = written.then(() => new Promise<never>(() => {}))
  failed.catch(() => {})
  return {
    async add(name, content) {
      const chunks = [typeof content === 'string' ? Buffer.from(content) : content]
      const source = Readable.from(chunks, { objectMode: false })
      zip.addReadStream(source, name, { compress: !COMPRESSED.test(name), mode: 0o100644 })
      await Promise.race([finished(source), failed])
      chunks.length = 0 // Frees the memory of the file: yazl keeps this array until the archive is complete.
      // Waits until the disk has taken the bytes. Otherwise all files would be in memory, because a source of
      // one chunk ends at once.
      if (output.writableNeedDrain) await Promise.race([once(output, 'drain'), failed])
    },
    async end() {
      zip.end()
      await written
      return file.bytesWritten
    },
    destroy: () => file.destroy(),
  }
}

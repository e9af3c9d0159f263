import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { type PassThrough, Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'

export interface ZipWriter {
  /** Adds a file, and resolves when its bytes are on their way to the disk. */
  add(path: string, content: string | Buffer): Promise<void>
  /** Completes the archive, and resolves when it is on the disk. Returns its size in bytes. */
  end(): Promise<number>
  /** Stops writing and closes the unfinished file. The caller deletes the file. */
  destroy(): void
}

/** Pictures are compressed already. */
const COMPRESSED = /\.webp$/

/**
 * Creates a ZIP archive at `path`, which only this user of the machine can read. It is written as a stream:
 * one file after the other, and never a whole archive in memory. yazl writes ZIP64 where the archive needs
 * it.
 */
export async function createZipWriter(path: string): Promise<ZipWriter> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
  const output = zip.outputStream as PassThrough
  const written = pipeline(output, file)
  // `add` and `end` throw the error. Without this, it would also be an unhandled rejection before they do.
  written.catch(() => {})
  const failed = written.then(() => new Promise<never>(() => {}))
  failed.catch(() => {})
  return {
    async add(name, content) {
      const chunks = [typeof content === 'string' ? Buffer.from(content) : content]
      const source = Readable.from(chunks, { objectMode: false })
      zip.addReadStream(source, name, { compress: !COMPRESSED.test(name), mode: 0o100644 })
      await Promise.race([finished(source), failed])
      chunks.length = 0 // yazl refers to the source until the end of the archive
      // A source of one chunk ends although the disk is slower. Without this, all files would wait in memory.
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

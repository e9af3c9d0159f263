import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { type PassThrough, Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'

export interface ZipWriter {
  /** Resolves when the bytes have been passed to the disk. */
  add(path: string, content: string | Buffer): Promise<void>
  /** The size in bytes, when all are on the disk. */
  end(): Promise<number>
  /** The caller deletes the file. */
  destroy(): void
}

/** Pictures, because WebP is compressed already. */
const COMPRESSED = /\.webp$/

/** Readable only by this user of the machine. Streamed: never whole in memory. ZIP64 where needed (yazl). */
export async function createZipWriter(path: string): Promise<ZipWriter> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
  const output = zip.outputStream as PassThrough
  const written = pipeline(output, file)
  // `add` and `end` throw it. Otherwise Node would report an unhandled rejection before they are called.
  written.catch(() => {})
  const failed = written.then(() => new Promise<never>(() => {}))
  failed.catch(() => {})
  return {
    async add(name, content) {
      const chunks = [typeof content === 'string' ? Buffer.from(content) : content]
      const source = Readable.from(chunks, { objectMode: false })
      zip.addReadStream(source, name, { compress: !COMPRESSED.test(name), mode: 0o100644 })
      await Promise.race([finished(source), failed])
      chunks.length = 0 // yazl keeps this array until the archive is complete.
      // A source of one chunk ends at once: without a wait for the disk, all files would be in memory.
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

import { createHash } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'

export const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** The SHA-256 of a file; null where it cannot be read. */
export async function hashFile(path: string) {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch {
    return null
  }
  return hash.digest('hex')
}

/** Writes a file to disk. Other users of this machine cannot read it. */
export const writePrivate = (path: string, content: string | Buffer | ReadStream) =>
  writeFile(path, content, { mode: 0o600, flush: true })

/** Flushes a file, or the entries of a folder, to disk: a new file is durable once both are flushed. */
export async function flush(path: string) {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

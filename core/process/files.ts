import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, type ReadStream, rmSync, writeFileSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export const toSha256Hex = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** Returns the SHA-256 of a file in hexadecimal; null if the file cannot be read. */
export async function hashFile(path: string) {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch {
    return null
  }
  return hash.digest('hex')
}

/** Writes a file and flushes it to disk. Only the user of this process can read it. */
export const writePrivateFile = (path: string, content: string | Buffer | ReadStream) =>
  writeFile(path, content, { mode: 0o600, flush: true })

/**
 * Flushes a file, or the list of files in a folder, to disk. A new file is safe on disk once it and its
 * folder are flushed.
 */
export async function flush(path: string) {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

/**
 * Creates a folder and its parents, for this user only. Does not use the option `recursive` of mkdir, because
 * that never ends if the system always answers ENOENT, as in /proc.
 */
export function makeFolder(folder: string) {
  if (existsSync(folder)) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * Creates a folder if it is missing, and writes a file in it and deletes it. Throws what the system answers.
 */
export function tryWriting(folder: string) {
  makeFolder(folder)
  const file = join(folder, `.written-at-start-${process.pid}`)
  writeFileSync(file, '', { mode: 0o600, flush: true })
  rmSync(file)
}

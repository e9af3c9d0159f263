import { mkdirSync } from 'node:fs'
import { copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flushPathToDisk } from '#core/files.ts'
import type { FolderMediaStorage } from '#core/media/storage.ts'
import { requireStoredFileContentType } from '#core/media/stored-names.ts'

/**
 * Creates a storage for files in `folder`. A new file is written to `scratch`, on the same disk, and moved
 * when it is complete.
 */
export function createFolderMediaStorage(folder: string, scratch: string): FolderMediaStorage {
  for (const path of [folder, scratch]) mkdirSync(path, { recursive: true })
  /**
   * Fills a file in `scratch` with `fill`, which also flushes it to disk, and then moves the file to
   * `folder`.
   */
  async function store(name: string, fill: (part: string) => Promise<void>) {
    // Throws for a name that the other users of the storage do not know.
    requireStoredFileContentType(name)
    const part = join(scratch, `${name}.part`)
    try {
      await fill(part)
      await rename(part, join(folder, name))
      await flushPathToDisk(folder)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  }
  return {
    folder,
    write: (name, bytes) => store(name, (part) => writeFile(part, bytes, { flush: true })),
    writeFile: (name, path) =>
      store(name, async (part) => {
        await copyFile(path, part)
        await flushPathToDisk(part)
      }),
    remove: (name) => rm(join(folder, name), { force: true }),
    read: (name) =>
      readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      }),
    has: (name) =>
      stat(join(folder, name)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false
          throw error
        },
      ),
    async *list() {
      for (const name of await readdir(folder)) {
        // Leaves a file that was removed meanwhile out of the list.
        const info = await stat(join(folder, name)).catch(() => null)
        if (info) yield { name, bytes: info.size }
      }
    },
    check: async () => void (await stat(folder)),
    close() {},
  }
}

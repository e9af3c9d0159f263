import { mkdirSync } from 'node:fs'
import { copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FolderStorage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { flush } from '#core/process/files.ts'

/** A new file is written to `scratch`, on the same disk, and moved when it is complete. */
export function folderStorage(folder: string, scratch: string): FolderStorage {
  for (const path of [folder, scratch]) mkdirSync(path, { recursive: true })
  /** `fill` also flushes the file to disk. */
  async function store(name: string, fill: (part: string) => Promise<void>) {
    // Throws for a name that the other users of the storage do not know.
    storedNames.requireContentType(name)
    const part = join(scratch, `${name}.part`)
    try {
      await fill(part)
      await rename(part, join(folder, name))
      await flush(folder)
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
        await flush(part)
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
        // The file was removed meanwhile.
        const info = await stat(join(folder, name)).catch(() => null)
        if (info) yield { name, bytes: info.size }
      }
    },
    check: async () => void (await stat(folder)),
    close() {},
  }
}

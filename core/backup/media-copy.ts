import { link, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileHashes } from '#core/backup/manifest.ts'
import * as manifest from '#core/backup/manifest.ts'
import type { Db } from '#core/database/database.ts'
import { selectWithFiles } from '#core/media/references.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { toSha256Hex, writePrivateFile } from '#core/process/files.ts'
import { eachConcurrently } from '#core/process/locks.ts'

/** Returns the names of the files of all pictures and other files that have a row in `media`. */
export async function listNames(db: Db): Promise<string[]> {
  const rows = await selectWithFiles(db).select(['name', 'widths']).orderBy('name').execute()
  return rows.flatMap(({ name, widths }) => storedNames.list(name, widths))
}

export async function storedSizes(storage: MediaStorage) {
  const sizes = new Map<string, number>()
  for await (const { name, bytes } of storage.list()) sizes.set(name, bytes)
  return sizes
}

/** The newest of the earlier backups in the folder to which the new backup is written. */
export interface PreviousBackup {
  folder: string
  sums: FileHashes
}

export type Copier = ReturnType<typeof createCopier>

/**
 * Creates the functions that copy the stored files of pictures and other uploads to the backup in `folder`.
 * A file that the previous backup has is linked instead of copied.
 */
export function createCopier(storage: MediaStorage, folder: string, previous: PreviousBackup | null) {
  const sums = new Map<string, string>()

  /**
   * Copies one file from the storage to the backup, or links it from the previous backup. Returns the hash of
   * the file; null if it does not exist.
   */
  async function copy(path: string, name: string) {
    // First tries the previous backup, which can also supply a file that the storage has lost, because the
    // content of a file never changes.
    const linked = previous && (await linkFile(previous, folder, path))
    if (linked) return linked
    const bytes = await storage.read(name)
    if (!bytes) return null
    await writePrivateFile(join(folder, path), bytes)
    return toSha256Hex(bytes)
  }

  return {
    /** The hashes of the files that were added to the backup, by their paths in the backup. */
    sums,
    /**
     * Adds files to the backup, and removes from it the files that are not in `names`. Returns the names of
     * files that neither the storage nor the previous backup has.
     */
    async update(names: readonly string[]) {
      const paths = new Map(names.map((name) => [`media/${name}`, name]))
      const missing: string[] = []
      await eachConcurrently(paths, manifest.CONCURRENCY, async ([path, name]) => {
        if (sums.has(path)) return
        const hash = await copy(path, name)
        if (hash) sums.set(path, hash)
        else missing.push(name)
      })
      for (const path of [...sums.keys()].filter((path) => !paths.has(path))) {
        await rm(join(folder, path), { force: true })
        sums.delete(path)
      }
      return missing.sort()
    },
  }
}

/**
 * Hard-links a file of the previous backup into the new backup in `folder`. Returns the hash of the file;
 * null if the file is missing or damaged, or links are not supported.
 */
async function linkFile(previous: PreviousBackup, folder: string, path: string) {
  const from = join(previous.folder, path)
  const hash = previous.sums.get(path)
  const bytes = hash && (await readFile(from).catch(() => null))
  if (!bytes || toSha256Hex(bytes) !== hash) return null
  return link(from, join(folder, path)).then(
    () => hash,
    () => null,
  )
}

/**
 * Copies files to another storage, and compares each copy with its original. Does not copy a file that the
 * other storage already has with the same size.
 */
export async function copyNamed(names: readonly string[], from: MediaStorage, to: MediaStorage) {
  const sizes = await storedSizes(to)
  const missing: string[] = []
  let copied = 0
  await eachConcurrently(names, manifest.CONCURRENCY, async (name) => {
    const bytes = await from.read(name)
    if (!bytes) missing.push(name)
    else if (sizes.get(name) !== bytes.length) {
      await to.write(name, bytes)
      if (!(await to.read(name))?.equals(bytes))
        throw new Error(`The picture ${name} is not at its new place what it was.`)
      copied++
    }
  })
  return { copied, alreadyCopied: names.length - copied - missing.length, missing }
}

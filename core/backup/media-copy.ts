import { link, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_CONCURRENCY, type Sums } from '#core/backup/manifest.ts'
import type { Db } from '#core/database/database.ts'
import { sha256, writePrivate } from '#core/files.ts'
import { forEachLimit } from '#core/locks.ts'
import { fileName } from '#core/media/lifecycle.ts'
import type { MediaStorage } from '#core/media/storage.ts'

/** Names of the files of all pictures that a database names. */
export async function mediaFilesOf(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('media').select(['name', 'widths']).orderBy('name').execute()
  return rows.flatMap(({ name, widths }) => widths.split(',').map((width) => fileName(name, width)))
}

export async function sizesOf(storage: MediaStorage) {
  const sizes = new Map<string, number>()
  for await (const { name, bytes } of storage.list()) sizes.set(name, bytes)
  return sizes
}

/** A backup that was made before in the same folder. */
export interface PreviousBackup {
  folder: string
  sums: Sums
}

export type MediaCopy = ReturnType<typeof createMediaCopy>

/** The files of pictures in the backup `folder`. Those that the previous backup has are linked from there. */
export function createMediaCopy(storage: MediaStorage, folder: string, previous: PreviousBackup | null) {
  const sums = new Map<string, string>()

  /** Returns the hash of the file; null where it does not exist. */
  async function copy(path: string, name: string) {
    // The content of a name never changes. So the previous backup has a file that the storage has lost.
    const linked = previous && (await linkFile(previous, folder, path))
    if (linked) return linked
    const bytes = await storage.read(name)
    if (!bytes) return null
    await writePrivate(join(folder, path), bytes)
    return sha256(bytes)
  }

  return {
    /** Hashes of the files, by their path in the backup. */
    sums,
    /** Adds files to the backup, and removes others from it. Returns the names of files that do not exist. */
    async update(names: readonly string[]) {
      const paths = new Map(names.map((name) => [`media/${name}`, name]))
      const missing: string[] = []
      await forEachLimit(paths, FILE_CONCURRENCY, async ([path, name]) => {
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

/** Hard-links a file. Returns its hash; null where it is missing or damaged, or links are not supported. */
async function linkFile(previous: PreviousBackup, folder: string, path: string) {
  const from = join(previous.folder, path)
  const hash = previous.sums.get(path)
  const bytes = hash && (await readFile(from).catch(() => null))
  if (!bytes || sha256(bytes) !== hash) return null
  return link(from, join(folder, path)).then(
    () => hash,
    () => null,
  )
}

/** Copies files to another storage, and compares each. Files that are there already are not copied again. */
export async function moveMedia(names: readonly string[], from: MediaStorage, to: MediaStorage) {
  const sizes = await sizesOf(to)
  const missing: string[] = []
  let carried = 0
  await forEachLimit(names, FILE_CONCURRENCY, async (name) => {
    const bytes = await from.read(name)
    if (!bytes) missing.push(name)
    else if (sizes.get(name) !== bytes.length) {
      await to.write(name, bytes)
      if (!(await to.read(name))?.equals(bytes))
        throw new Error(`The picture ${name} is not at its new place what it was.`)
      carried++
    }
  })
  return { carried, there: names.length - carried - missing.length, missing }
}

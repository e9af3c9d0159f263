import { randomBytes, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#core/database/database.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import type { NonPictureFileMetadata } from '#core/media/files.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { insertPendingMediaRow } from '#core/media/lifecycle.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { toNonPictureStorageName, toPictureStorageName } from '#core/media/stored-names.ts'

/** An attached picture, or an attached file that is stored as it was uploaded. */
export type AttachedPictureOrFileMetadata = PictureMetadata | NonPictureFileMetadata

const isPicture = (media: AttachedPictureOrFileMetadata): media is PictureMetadata => 'widths' in media

interface CopyOptions {
  db: Db
  storage: MediaStorage
  /** The path of a folder of this machine for unfinished files. */
  scratch: string
  /** Deletes a copy unless it is attached: see `createMediaService`. */
  deleteUnattached: (
    copy: { name: string; widths?: readonly number[] },
    failed: boolean,
    mayArrive: boolean,
  ) => Promise<void>
}

/**
 * Copies attached pictures and files under new names, and calls `work`, which attaches the copies to rows.
 * Afterwards deletes the copies that `work` has not attached. A copy has a guard, an owner and a lifetime of
 * its own, so the right to see the original gives no right to see the copy. Throws 503 if a file cannot be
 * read or stored, and 507 if the storage is full.
 */
export async function withCopiesOfAttachedMedia<T>(
  options: CopyOptions,
  sources: readonly AttachedPictureOrFileMetadata[],
  work: (pictures: PictureMetadata[], files: NonPictureFileMetadata[]) => Promise<T>,
) {
  const { db, deleteUnattached } = options
  const copies: AttachedPictureOrFileMetadata[] = []
  let [failed, mayArrive] = [true, false]
  try {
    for (const source of sources) {
      const copy = { ...source, name: randomBytes(20).toString('hex') }
      await insertPendingMediaRow(db, copy)
      copies.push(copy)
      mayArrive = true
      await copyFiles(options, source, copy)
      mayArrive = false
    }
    const result = await work(
      copies.filter(isPicture),
      copies.filter((copy): copy is NonPictureFileMetadata => !isPicture(copy)),
    )
    failed = false
    return result
  } finally {
    // Ignores an error: the pending rows remain, and the next cleanup deletes the files.
    await Promise.all(copies.map((copy) => deleteUnattached(copy, failed, mayArrive))).catch(() => {})
  }
}

/**
 * Copies the files of a picture, or the one file of another kind, to a new name in the same storage.
 */
async function copyFiles(
  { storage, scratch }: CopyOptions,
  source: AttachedPictureOrFileMetadata,
  { name }: AttachedPictureOrFileMetadata,
) {
  if (!isPicture(source)) {
    const [from, to] = [toNonPictureStorageName(source.name), toNonPictureStorageName(name)]
    return storage.folder === null
      ? copyOriginalInBucket(storage, scratch, from, to)
      : copyInFolder(storage, storage.folder, from, to)
  }
  for (const width of source.widths) {
    const [from, to] = [toPictureStorageName(source.name, width), toPictureStorageName(name, width)]
    if (storage.folder !== null) await copyInFolder(storage, storage.folder, from, to)
    else await storage.write(to, await readExisting(storage, from))
  }
}

const copyInFolder = (storage: MediaStorage, folder: string, from: string, to: string) =>
  storage.writeFile(to, join(folder, from)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? httpErrorFactories.notShown() : error
  })

/** Copies through a file in `scratch`, whose size the bucket asks for. */
async function copyOriginalInBucket(storage: MediaStorage, scratch: string, from: string, to: string) {
  const path = join(scratch, randomUUID())
  try {
    await writeFile(path, await readExisting(storage, from))
    await storage.writeFile(to, path)
  } finally {
    await rm(path, { force: true })
  }
}

async function readExisting(storage: MediaStorage, name: string) {
  const bytes = await storage.read(name)
  if (!bytes) throw httpErrorFactories.notShown()
  return bytes
}

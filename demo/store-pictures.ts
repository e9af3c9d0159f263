import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { ImageSizes, PictureMetadata } from '#core/media/images.ts'
import type { MediaService } from '#core/media/media.ts'
import { demoPicturesFolder } from '#demo/pictures.ts'

export interface DemoPictureUpload {
  /** The member, post or message that shows the pictures. */
  owner: object
  /** The names of the files in demo/pictures/. */
  files: readonly string[]
  sizes: ImageSizes
}

/** The stored pictures of each owner, in the order of its files. */
export type StoredPicturesByOwner = ReadonlyMap<object, readonly PictureMetadata[]>

/**
 * Stores all pictures, and then calls `work` once, which attaches them to their owners. All uploads are
 * stored at once and each media.store() waits for `work`, because media.store() deletes pictures that are not
 * attached when it ends.
 */
export async function storeDemoPictures(
  media: MediaService,
  uploads: readonly DemoPictureUpload[],
  work: (pictures: StoredPicturesByOwner) => Promise<void>,
) {
  const pictures = new Map<object, readonly PictureMetadata[]>()
  const done = Promise.withResolvers<void>()
  const stores = uploads.map(({ owner, files, sizes }) =>
    storeFiles(media, files, sizes, (stored) => {
      pictures.set(owner, stored)
      if (pictures.size === uploads.length) done.resolve(work(pictures))
      return done.promise
    }),
  )
  // If one upload fails, the others fail too, and all stored files are deleted.
  for (const store of stores) store.catch(done.reject)
  await Promise.all([done.promise, ...stores])
}

async function storeFiles(
  media: MediaService,
  files: readonly string[],
  sizes: ImageSizes,
  work: (pictures: PictureMetadata[]) => Promise<void>,
) {
  const uploads = await Promise.all(
    files.map((name) => media.receive('images', name, createReadStream(join(demoPicturesFolder, name)))),
  )
  try {
    await media.store(uploads, sizes, work)
  } finally {
    await media.discard(uploads)
  }
}

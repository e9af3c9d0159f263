import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { ImageSizes, Picture } from '#core/media/images.ts'
import type { Media } from '#core/media/media.ts'
import { picturesFolder } from '#demo/pictures.ts'

export interface PictureUpload {
  /** The member, post or message that shows the pictures. */
  owner: object
  /** Names of rendered files. */
  files: readonly string[]
  sizes: ImageSizes
}

/** The pictures of each owner, in the order of its files. */
export type StoredPictures = ReadonlyMap<object, readonly Picture[]>

/**
 * Stores all pictures, then runs `work` once, which attaches them. media.store() deletes pictures that are not
 * attached when its own work ends: so it is called for all uploads at once, and each call waits for `work`.
 */
export async function withPictures(
  media: Media,
  uploads: readonly PictureUpload[],
  work: (pictures: StoredPictures) => Promise<void>,
) {
  const pictures = new Map<object, readonly Picture[]>()
  const done = Promise.withResolvers<void>()
  const stores = uploads.map(({ owner, files, sizes }) =>
    storeFiles(media, files, sizes, (stored) => {
      pictures.set(owner, stored)
      if (pictures.size === uploads.length) done.resolve(work(pictures))
      return done.promise
    }),
  )
  // Where one upload fails, the others end as well, and none of their files stays.
  for (const store of stores) store.catch(done.reject)
  await Promise.all([done.promise, ...stores])
}

async function storeFiles(
  media: Media,
  files: readonly string[],
  sizes: ImageSizes,
  work: (pictures: Picture[]) => Promise<void>,
) {
  const uploads = await Promise.all(
    files.map((name) => media.receive('images', name, createReadStream(join(picturesFolder, name)))),
  )
  try {
    await media.store(uploads, sizes, work)
  } finally {
    await media.discard(uploads)
  }
}

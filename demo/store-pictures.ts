import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { ImageSizes, Picture } from '#core/media/images.ts'
import type { MediaService } from '#core/media/media.ts'
import { demoPicturesFolder } from '#demo/pictures.ts'

export interface DemoPictureFilesOfOwner {
  /** The object to which the pictures belong: a demo member, post or message. */
  owner: object
  /** The names of the picture files in demo/pictures/. */
  files: readonly string[]
  sizes: ImageSizes
}

/**
 * The metadata of the stored pictures of each owner (a member, post or message), in the order of the owner's
 * files.
 */
export type StoredPictures = ReadonlyMap<object, readonly Picture[]>

/**
 * Stores all demo pictures, and then calls `work` once, which attaches them to their owners. All calls of
 * media.store() run at the same time, and each of them ends only after `work`, because media.store() deletes
 * at its end the pictures that are not attached.
 */
export async function storePictures(
  media: MediaService,
  uploads: readonly DemoPictureFilesOfOwner[],
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
  // If one upload fails, rejects `done`, so that the other uploads fail too and media.store() deletes their
  // files.
  for (const store of stores) store.catch(done.reject)
  await Promise.all([done.promise, ...stores])
}

async function storeFiles(
  media: MediaService,
  files: readonly string[],
  sizes: ImageSizes,
  work: (pictures: Picture[]) => Promise<void>,
) {
  const uploads = await Promise.all(
    files.map((name) =>
      media.receive({ field: 'images', filename: name }, createReadStream(join(demoPicturesFolder, name))),
    ),
  )
  try {
    await media.store(uploads, sizes, work)
  } finally {
    await media.discard(uploads)
  }
}

import { randomBytes } from 'node:crypto'
import type { Db } from '#core/database/database.ts'
import type { NonPictureFileMetadata } from '#core/media/files.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { findMediaNameOfStoredFile } from '#core/media/stored-names.ts'

/** An attached picture, or an attached file that is stored as it was uploaded. */
export type AttachedMedia = PictureMetadata | NonPictureFileMetadata

/**
 * Returns the metadata of a picture or file that shows the stored files of `media` under a name, with a guard
 * and with an owner of its own, so the right to see one of them gives no right to see the other. The files
 * are deleted with the last row that shows them.
 */
export const referTo = <T extends AttachedMedia>(media: T): T => ({
  ...media,
  name: randomBytes(20).toString('hex'),
  source: media.source ?? media.name,
})

/** Returns a query for the rows of `media` that have files of their own. */
export const selectMediaWithFiles = (db: Db) =>
  db
    .selectFrom('media')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('media_sources').select('source').whereRef('media_sources.name', '=', 'media.name'),
        ),
      ),
    )

/** Returns the name of a file in the storage: that of the source if the row of the file refers to one. */
export async function findStoredFileName(db: Db, file: string) {
  const name = findMediaNameOfStoredFile(file)
  if (!name) return file
  const row = await db
    .selectFrom('media_sources')
    .select('source')
    .where('name', '=', name)
    .executeTakeFirst()
  return row ? file.replace(name, row.source) : file
}

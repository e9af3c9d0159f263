import { randomBytes } from 'node:crypto'
import type { Db } from '#core/database/database.ts'
import type { StoredFile } from '#core/media/files.ts'
import type { Picture } from '#core/media/images.ts'
import * as storedNames from '#core/media/stored-names.ts'

export type AttachedMedia = Picture | StoredFile

/**
 * Shows the stored files of `media` under a name with its own guard and owner, so the right to see one gives
 * no right to see the other. The files are deleted with the last row that shows them.
 */
export const referTo = <T extends AttachedMedia>(media: T): T => ({
  ...media,
  name: randomBytes(20).toString('hex'),
  source: media.source ?? media.name,
})

export const selectWithFiles = (db: Db) =>
  db
    .selectFrom('media')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('media_sources').select('source').whereRef('media_sources.name', '=', 'media.name'),
        ),
      ),
    )

/** Its own name, or that of its source. */
export async function findStoredName(db: Db, file: string) {
  const name = storedNames.findMedia(file)
  if (!name) return file
  const row = await db
    .selectFrom('media_sources')
    .select('source')
    .where('name', '=', name)
    .executeTakeFirst()
  return row ? file.replace(name, row.source) : file
}

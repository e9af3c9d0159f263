import { join } from 'node:path'
import { compareCommunity, replaceDatabase } from '#core/backup/database-copy.ts'
import { assertNotRestoring, MOVED } from '#core/backup/markers.ts'
import { mediaFilesOf, moveMedia } from '#core/backup/media-copy.ts'
import { withSqliteFile } from '#core/backup/sqlite-file.ts'
import { rowCount, tallyDatabase } from '#core/backup/tally.ts'
import { BadSetting } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import type { Db, Migrations } from '#core/database/database.ts'
import { writePrivate } from '#core/files.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { readSecretFiles, storeSecrets } from '#core/secrets.ts'

export interface MoveResult {
  rows: number
  /** Files of pictures that this run has copied. */
  carried: number
  /** Files of pictures that an earlier run has copied. */
  there: number
  missing: readonly string[]
}

/**
 * Copies the SQLite community of `folder` to `db` in one transaction and, with `media`, its pictures one by
 * one to another storage: an interrupted run can be repeated. Throws BadSetting where `db` holds another
 * community.
 */
export async function move(
  folder: string,
  db: Db,
  lists: readonly Migrations[],
  media: { from: MediaStorage; to: MediaStorage } | null,
): Promise<MoveResult> {
  const release = lockDataFolder(folder)
  try {
    assertNotRestoring(folder)
    return await withSqliteFile(join(folder, 'engawa.db'), async (source) => {
      const expected = await tallyDatabase(source, lists)
      const found = await compareCommunity(db, lists, expected)
      if (found === 'other')
        throw new BadSetting('DATABASE_URL holds another community: name a database where nobody lives yet.')
      const moved = media
        ? await moveMedia(await mediaFilesOf(source), media.from, media.to)
        : { carried: 0, there: 0, missing: [] }
      const secrets = await readSecretFiles(folder)
      if (found === 'none')
        await replaceDatabase(source, db, lists, (tx, copied) => storeSecrets(tx, copied, secrets))
      await writePrivate(join(folder, MOVED), 'This community lives on PostgreSQL now.\n')
      return { rows: rowCount(expected), ...moved }
    })
  } finally {
    release()
  }
}

import { join } from 'node:path'
import * as databaseCopy from '#core/backup/database-copy.ts'
import { MOVED_FILE, requireWholeRestore } from '#core/backup/markers.ts'
import * as mediaCopy from '#core/backup/media-copy.ts'
import { withReadTransaction } from '#core/backup/sqlite-file.ts'
import * as tableHashes from '#core/backup/table-hashes.ts'
import { OperatorError } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import type { Db, Migrations } from '#core/database/database.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { writePrivateFile } from '#core/process/files.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'

export interface Result {
  rows: number
  /** The number of files of pictures that this run has copied. */
  copied: number
  /**
   * The number of files of pictures that the other storage had already, such as from an earlier run that was
   * interrupted.
   */
  alreadyCopied: number
  missing: readonly string[]
}

/**
 * Copies the SQLite community of `folder` to `db` in one transaction and, if `media` is given, its pictures
 * one by one to another storage. Then marks `folder` as moved, so that no server starts with its old data.
 * A run that was interrupted can be repeated. Throws OperatorError if `db` holds another community.
 */
export async function moveToPostgres(
  folder: string,
  db: Db,
  migrations: readonly Migrations[],
  media: { from: MediaStorage; to: MediaStorage } | null,
): Promise<Result> {
  const release = lockDataFolder(folder)
  try {
    requireWholeRestore(folder)
    return await withReadTransaction(join(folder, 'engawa.db'), async (source) => {
      const expected = await tableHashes.ofAllTables(source, migrations)
      const found = await databaseCopy.compare(db, migrations, expected)
      if (found === 'other')
        throw new OperatorError(
          'DATABASE_URL holds another community: name a database where nobody lives yet.',
        )
      const moved = media
        ? await mediaCopy.copyNamed(await mediaCopy.listNames(source), media.from, media.to)
        : { copied: 0, alreadyCopied: 0, missing: [] }
      const secrets = await storedSecrets.readFiles(folder)
      if (found === 'none')
        await databaseCopy.replaceTables(source, db, migrations, (tx, copied) =>
          storedSecrets.insertRestored(tx, copied, secrets),
        )
      await writePrivateFile(join(folder, MOVED_FILE), 'This community lives on PostgreSQL now.\n')
      return { rows: tableHashes.sumRows(expected), ...moved }
    })
  } finally {
    release()
  }
}

import { join } from 'node:path'
import {
  classifyDatabaseAsEmptySameOrOther,
  replaceAllTablesFromSnapshot,
} from '#core/backup/database-copy.ts'
import { assertNoInterruptedRestore, MOVED_TO_POSTGRES_MARKER_FILE } from '#core/backup/markers.ts'
import { copyNamedFilesBetweenMediaStorages, listMediaFileNamesInDatabase } from '#core/backup/media-copy.ts'
import { withSqliteReadTransaction } from '#core/backup/sqlite-file.ts'
import { computeAllTableRowCountsAndHashes, sumTableRowCounts } from '#core/backup/table-hashes.ts'
import { OperatorError } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import type { Db, MigrationsByName } from '#core/database/database.ts'
import { writeAndFlushFileWithMode600 } from '#core/files.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { insertRestoredSecretRows, readSecretFileContentsByName } from '#core/secrets.ts'

export interface MoveToPostgresResult {
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
  migrations: readonly MigrationsByName[],
  media: { from: MediaStorage; to: MediaStorage } | null,
): Promise<MoveToPostgresResult> {
  const release = lockDataFolder(folder)
  try {
    assertNoInterruptedRestore(folder)
    return await withSqliteReadTransaction(join(folder, 'engawa.db'), async (source) => {
      const expected = await computeAllTableRowCountsAndHashes(source, migrations)
      const found = await classifyDatabaseAsEmptySameOrOther(db, migrations, expected)
      if (found === 'other')
        throw new OperatorError(
          'DATABASE_URL holds another community: name a database where nobody lives yet.',
        )
      const moved = media
        ? await copyNamedFilesBetweenMediaStorages(
            await listMediaFileNamesInDatabase(source),
            media.from,
            media.to,
          )
        : { copied: 0, alreadyCopied: 0, missing: [] }
      const secrets = await readSecretFileContentsByName(folder)
      if (found === 'none')
        await replaceAllTablesFromSnapshot(source, db, migrations, (tx, copied) =>
          insertRestoredSecretRows(tx, copied, secrets),
        )
      await writeAndFlushFileWithMode600(
        join(folder, MOVED_TO_POSTGRES_MARKER_FILE),
        'This community lives on PostgreSQL now.\n',
      )
      return { rows: sumTableRowCounts(expected), ...moved }
    })
  } finally {
    release()
  }
}

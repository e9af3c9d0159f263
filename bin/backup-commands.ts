import { join, resolve } from 'node:path'
import { allMigrations } from '#app.ts'
import { type BackupResult, makeBackup, requireWritable } from '#core/backup/backup.ts'
import * as backupHistory from '#core/backup/history.ts'
import { moveToPostgres } from '#core/backup/move.ts'
import { restoreBackup } from '#core/backup/restore.ts'
import * as tableHashes from '#core/backup/table-hashes.ts'
import { OperatorError, readEnvironment } from '#core/config.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { appVersion } from '#core/environment/version.ts'
import { openStorage } from '#core/media/open-storage.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'
import { formatBytes } from '#core/text/format-bytes.ts'
import { assertSqliteFileExists, type CliCommand, withCommunityDatabase } from './cli-community.ts'

export const backupCliCommandsByName: Record<string, CliCommand> = {
  backup: {
    argument: '[FOLDER]',
    // With --begun, the server has added the row of the backup, and names its id.
    options: { begun: { value: 'ID' } },
    description: 'makes a backup in a new folder inside FOLDER (or BACKUP_DIR), and checks it',
    run: (folder, { begun }) =>
      withCommunityDatabase(async ({ db, config }) => {
        // A mistyped FOLDER is not a failed backup: no row, so admins are not told.
        if (folder) requireWritable(resolve(folder), 'engawa backup')
        const id = typeof begun === 'string' ? Number(begun) : (await backupHistory.begin(db))!
        const storage = await openStorage(config)
        const source = {
          database: config.DATABASE_URL ? { db } : { file: join(config.DATA_DIR, 'engawa.db') },
          storage,
          secrets: storedSecrets.filesForBackup(config),
          migrations: allMigrations,
          version: appVersion,
        }
        const result = await backupHistory
          .run(db, id, async () => {
            // A backup with another secret would not bring back what depends on the right one.
            await storedSecrets.requireSame(config, db)
            return makeBackup(source, folder ? resolve(folder) : config.BACKUP_DIR)
          })
          .finally(() => storage.close())
        if (result.lost.length) process.exitCode = 1
        return describeResult(result)
      }),
  },
  restore: {
    argument: 'BACKUP',
    options: { overwrite: { description: 'moves what is there to DATA_DIR/before-restore-… first' } },
    description: 'restores a backup to DATA_DIR, DATABASE_URL and MEDIA_URL; stop the server first',
    run: async (backup, { overwrite }) => {
      const destination = await openDestination()
      try {
        const { manifest, aside } = await restoreBackup(
          resolve(backup!),
          destination,
          allMigrations,
          overwrite === true,
        )
        const { made_at, tables, pictures } = manifest
        const moved = aside ? `\nWhat was there before is in ${aside}` : ''
        return (
          `The backup of ${made_at} is restored: ${tableHashes.sumRows(tables)} rows, ${pictures.files} pictures.` +
          `${moved}\nStart the server now.`
        )
      } finally {
        await destination.close()
      }
    },
  },
  move: {
    description: 'moves the data of DATA_DIR to DATABASE_URL and, if set, MEDIA_URL',
    run: async () => {
      assertSqliteFileExists()
      const { folder, db, storage, close } = await openDestination()
      try {
        if (!db)
          throw new OperatorError(
            'DATABASE_URL takes the database to move to: postgres://user:password@host:port/database.',
          )
        const media = storage && {
          from: await openStorage({ DATA_DIR: folder, MEDIA_URL: undefined, AWS_REGION: undefined }),
          to: storage,
        }
        const { rows, copied, alreadyCopied, missing } = await moveToPostgres(
          folder,
          db,
          allMigrations,
          media,
        )
        const also = media ? ` and ${copied + alreadyCopied} pictures` : ''
        const lost = missing.length ? `\nPictures that were not there any more: ${missing.join(', ')}` : ''
        return (
          `${rows} rows${also} are at their new place, compared with those in ${folder}, ` +
          `which stays as it is.${lost}\nFrom now on, start the server with the same ` +
          `${media ? 'DATABASE_URL and MEDIA_URL' : 'DATABASE_URL'}, and the same DATA_DIR.`
        )
      } finally {
        await close()
      }
    },
  },
}

function describeResult({ path, rows, files, bytes, missing, lost }: BackupResult) {
  const made =
    `The backup is in ${path}\nIt was restored beside itself and compared: ` +
    `${rows} rows, ${files} pictures, ${formatBytes(bytes, 'en')}.`
  if (!lost.length) return made
  return (
    `${made}\nNEEDS ATTENTION: the server lacks ${lost.length} files of pictures. The backup lacks ` +
    `${missing.length} of them (named in backup.json).`
  )
}

/**
 * Opens the PostgreSQL database and the S3 bucket that the environment settings name, as the destination of a
 * restore or a move. Writes nothing to them yet.
 */
async function openDestination() {
  const settings = readEnvironment()
  const { DATA_DIR, DATABASE_URL, MEDIA_URL } = settings
  const database = DATABASE_URL ? await openPostgres(DATABASE_URL, { withoutTimeouts: true }) : null
  const storage = MEDIA_URL ? await openStorage(settings) : null
  return {
    folder: DATA_DIR,
    db: database?.db ?? null,
    storage,
    async close() {
      storage?.close()
      await database?.close()
    },
  }
}

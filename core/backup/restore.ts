import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AUDIT_LOG_WITNESS_FILE, formatAuditLogWitness } from '#core/audit-log/witness.ts'
import { readAuditLogPositionOfFile } from '#core/backup/audit-log.ts'
import {
  classifyDatabaseAsEmptySameOrOther,
  copyDatabaseToSqliteFile,
  copySqliteFileAndHashTables,
  replaceAllTablesFromSnapshot,
} from '#core/backup/database-copy.ts'
import { recordRestoredBackup } from '#core/backup/history.ts'
import {
  BACKUP_FILE_CONCURRENCY,
  type BackupManifest,
  type CheckedBackup,
  createDamagedBackupError,
  isBackupMediaPath,
  readBackupManifestAndCheckFileHashes,
} from '#core/backup/manifest.ts'
import { MOVED_TO_POSTGRES_MARKER_FILE, RESTORE_STAGING_FOLDER } from '#core/backup/markers.ts'
import { listMediaFileNamesInDatabase, readStoredMediaFileSizesByName } from '#core/backup/media-copy.ts'
import { disableWriteAheadLog, withSqliteReadTransaction } from '#core/backup/sqlite-file.ts'
import {
  computeAllTableRowCountsAndHashes,
  computeSqliteFileTableRowCountsAndHashes,
  findTableNameWithDifferentHash,
} from '#core/backup/table-hashes.ts'
import { OperatorError } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import { currentIsoTime, type Db, type MigrationsByName, type Tx } from '#core/database/database.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import { flushPathToDisk, makeFolder, toSha256Hex, writeAndFlushFileWithMode600 } from '#core/files.ts'
import { forEachConcurrently } from '#core/locks.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { isStoredWithoutMediaRow } from '#core/media/stored-names.ts'
import {
  deleteStorageRows,
  insertRestoredSecretRows,
  readSecretFileContentsByName,
  secretFileNames,
} from '#core/secrets.ts'

/** The place to which a backup is restored. */
export interface RestoreDestination {
  /** The path of DATA_DIR. */
  folder: string
  /** The opened PostgreSQL database to restore to; null if the database is a SQLite file in the folder. */
  db: Db | null
  /** The bucket to which the pictures are restored; null if the pictures are in the folder. */
  storage: MediaStorage | null
}

const DATABASE_FILES = ['engawa.db', 'engawa.db-wal', 'engawa.db-shm']
const PARTS = ['engawa.db', 'media', AUDIT_LOG_WITNESS_FILE, ...secretFileNames]

/**
 * Checks a backup and restores it to an empty destination. With `overwrite`, also to a destination with data,
 * which it saves to a new folder in DATA_DIR before it replaces them: it moves existing files, and copies a
 * PostgreSQL community. Pictures in a bucket stay there. Returns the path of this folder as `aside`; null if
 * it saved nothing. An interrupted restore can be run again.
 */
export async function restoreBackup(
  backup: string,
  destination: RestoreDestination,
  migrations: readonly MigrationsByName[],
  overwrite: boolean,
) {
  const { folder } = destination
  const checked = await readBackupManifestAndCheckFileHashes(backup, migrations)
  const { manifest } = checked
  makeFolder(folder)
  const release = lockDataFolder(folder)
  try {
    const finished = await activateStage(folder)
    if (finished?.place === backup) return { manifest, aside: finished.aside }
    if (!overwrite) await assertEmpty(backup, destination, migrations)
    const aside = join(folder, `before-restore-${currentIsoTime().replaceAll(':', '-')}`)
    await prepare(checked, destination, migrations, aside)
    await flushPathToDisk(join(folder, RESTORE_STAGING_FOLDER))
    await activateStage(folder)
    if (!destination.db) await rm(join(folder, MOVED_TO_POSTGRES_MARKER_FILE), { force: true })
    return { manifest, aside: existsSync(aside) ? aside : null }
  } finally {
    release()
  }
}

/**
 * Writes the files to the staging folder (pictures to the bucket, if there is one), restores PostgreSQL if it
 * is used, and last writes the file `ready`. On an error it deletes the staging folder; the existing files in
 * DATA_DIR are not changed.
 */
async function prepare(
  backup: CheckedBackup,
  destination: RestoreDestination,
  migrations: readonly MigrationsByName[],
  aside: string,
) {
  const stage = join(destination.folder, RESTORE_STAGING_FOLDER)
  try {
    await writeStage(backup, stage, destination, migrations)
    if (destination.db) await restoreDatabase(backup, destination.db, migrations, aside)
    await writeAndFlushFileWithMode600(
      join(stage, 'ready.part'),
      JSON.stringify({ place: backup.folder, aside }),
    )
    await rename(join(stage, 'ready.part'), join(stage, 'ready'))
  } catch (error) {
    await rm(stage, { recursive: true, force: true })
    throw error
  }
}

/**
 * Writes the pictures to the bucket or the staging folder, and the secrets to the staging folder. Without
 * PostgreSQL, also writes the SQLite database there. Checks each file again.
 */
async function writeStage(
  { folder, manifest, sums }: CheckedBackup,
  stage: string,
  { db, storage }: RestoreDestination,
  migrations: readonly MigrationsByName[],
) {
  await rm(stage, { recursive: true, force: true })
  await mkdir(stage, { mode: 0o700 })
  if (!storage) await mkdir(join(stage, 'media'))
  const sizes = storage && (await readStoredMediaFileSizesByName(storage))
  await forEachConcurrently(sums, BACKUP_FILE_CONCURRENCY, async ([path, hash]) => {
    if (!isBackupMediaPath(path) && !secretFileNames.includes(path)) return
    const bytes = await readFile(join(folder, path)).catch(() => null)
    if (!bytes || toSha256Hex(bytes) !== hash) throw createDamagedBackupError(folder, path)
    const name = basename(path)
    if (!storage || !isBackupMediaPath(path)) await writeAndFlushFileWithMode600(join(stage, path), bytes)
    else if (sizes!.get(name) !== bytes.length) await storage.write(name, bytes)
  })
  if (!storage) await flushPathToDisk(join(stage, 'media'))
  const file = join(folder, 'engawa.db')
  const found = db
    ? await computeSqliteFileTableRowCountsAndHashes(file, migrations)
    : await copySqliteFileAndHashTables(file, join(stage, 'engawa.db'), migrations)
  // Throws if the tables differ from the manifest. Then the manifest is damaged, because the hash of the
  // database file was correct.
  if (findTableNameWithDifferentHash(manifest.tables, found))
    throw createDamagedBackupError(folder, 'backup.json')
  await writeAuditLogWitnessOfBackup(file, stage, manifest)
  if (!db) await forgetStorageInFile(join(stage, 'engawa.db'), { folder, manifest })
}

/**
 * Compares the audit log of a backup with what its manifest says of it, and writes how far it goes, so that a
 * check of the restored log does not miss what came after the backup.
 */
async function writeAuditLogWitnessOfBackup(file: string, stage: string, manifest: BackupManifest) {
  const position = await readAuditLogPositionOfFile(file, manifest.tables)
  const { audit_log } = manifest
  if (audit_log && (audit_log.entries !== position?.entries || audit_log.hash !== position.hash))
    throw createDamagedBackupError(dirname(file), 'backup.json, about the log of what admins did')
  if (!position) return
  const otherBackups = { after: manifest.made_at, before: currentIsoTime() }
  const witness = { ...position, isSealed: audit_log !== undefined, otherBackups }
  await writeAndFlushFileWithMode600(join(stage, AUDIT_LOG_WITNESS_FILE), formatAuditLogWitness(witness))
}

/** Adds the backup to the history of a restored database, if its version has the columns for it. */
async function recordBackup(tx: Tx, { folder, manifest }: RestoredBackup) {
  if (manifest.migrations.includes('backups 3')) await recordRestoredBackup(tx, folder, manifest)
}

/** Deletes from a restored database which storage the community had, and adds the backup to its history. */
async function forgetStorageAndRecordBackup(tx: Tx, backup: RestoredBackup) {
  // A backup of an old version lacks this table.
  if ('secrets' in backup.manifest.tables) await deleteStorageRows(tx)
  await recordBackup(tx, backup)
}

type RestoredBackup = Pick<CheckedBackup, 'folder' | 'manifest'>

async function forgetStorageInFile(file: string, backup: RestoredBackup) {
  const { db, close } = openSqlite(file)
  await transaction(db, (tx) => forgetStorageAndRecordBackup(tx, backup)).finally(close)
  disableWriteAheadLog(file)
  await flushPathToDisk(file)
}

/**
 * Replaces all tables of a PostgreSQL database by those of the backup, in one transaction. If the tables are
 * the same already, only deletes which storage the community had. If the database holds another community,
 * first copies that community to `aside`.
 */
const restoreDatabase = (
  backup: RestoredBackup,
  db: Db,
  migrations: readonly MigrationsByName[],
  aside: string,
) =>
  withSqliteReadTransaction(join(backup.folder, 'engawa.db'), async (source) => {
    const expected = await computeAllTableRowCountsAndHashes(source, migrations)
    const found = await classifyDatabaseAsEmptySameOrOther(db, migrations, expected)
    if (found === 'same') {
      await transaction(db, (tx) => forgetStorageAndRecordBackup(tx, backup))
      return
    }
    if (found === 'other') {
      await mkdir(aside, { recursive: true, mode: 0o700 })
      await copyDatabaseToSqliteFile({ db }, migrations, join(aside, 'engawa.db'))
    }
    const secrets = await readSecretFileContentsByName(backup.folder)
    await replaceAllTablesFromSnapshot(source, db, migrations, async (tx, copied) => {
      await insertRestoredSecretRows(tx, copied, secrets)
      await recordBackup(tx, backup)
    })
  })

/**
 * If the staging folder is complete, moves its files to DATA_DIR, and the files that they replace to `aside`.
 * Can be repeated after a crash. Returns null if there is no complete staging folder.
 */
async function activateStage(folder: string): Promise<{ place: string; aside: string } | null> {
  const stage = join(folder, RESTORE_STAGING_FOLDER)
  const text = await readFile(join(stage, 'ready'), 'utf8').catch(() => null)
  if (text === null) return null
  const { place, aside } = JSON.parse(text) as { place: string; aside: string }
  for (const part of (await readdir(stage)).filter((name) => PARTS.includes(name))) {
    const old = part === 'engawa.db' ? DATABASE_FILES : [part]
    for (const name of old.filter((name) => existsSync(join(folder, name)))) {
      await mkdir(aside, { recursive: true, mode: 0o700 })
      await rename(join(folder, name), join(aside, name))
    }
    await rename(join(stage, part), join(folder, part))
  }
  await flushPathToDisk(folder)
  await rm(stage, { recursive: true })
  return { place, aside }
}

/**
 * Throws OperatorError if DATA_DIR holds a database, secrets or pictures, or if PostgreSQL or the bucket
 * holds data of another community.
 */
async function assertEmpty(
  backup: string,
  destination: RestoreDestination,
  migrations: readonly MigrationsByName[],
) {
  const { folder, db, storage } = destination
  const file = [...DATABASE_FILES, ...secretFileNames].find((name) => existsSync(join(folder, name)))
  const media = join(folder, 'media')
  const hasFiles = async () =>
    existsSync(media) && (await readdir(media)).some((name) => !isStoredWithoutMediaRow(name))
  if (file || (!storage && (await hasFiles())))
    throw new OperatorError(
      `DATA_DIR is not empty: ${folder} holds ${file ?? 'media'}. ` +
        'With --overwrite, what is there is moved aside first.',
    )
  await withSqliteReadTransaction(join(backup, 'engawa.db'), async (source) => {
    if (
      db &&
      (await classifyDatabaseAsEmptySameOrOther(
        db,
        migrations,
        await computeAllTableRowCountsAndHashes(source, migrations),
      )) === 'other'
    )
      throw new OperatorError(
        'DATABASE_URL holds a community already. With --overwrite, this one takes its place.',
      )
    const own = new Set(storage && (await listMediaFileNamesInDatabase(source)))
    for (const name of storage ? (await readStoredMediaFileSizesByName(storage)).keys() : [])
      if (!own.has(name) && !isStoredWithoutMediaRow(name))
        throw new OperatorError(
          'MEDIA_URL holds other pictures already. With --overwrite, these go beside them.',
        )
  })
}

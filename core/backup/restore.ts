import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as logWitness from '#core/audit-log/witness.ts'
import { logPositionOf } from '#core/backup/audit-log.ts'
import * as databaseCopy from '#core/backup/database-copy.ts'
import * as history from '#core/backup/history.ts'
import type { BackupManifest, CheckedBackup } from '#core/backup/manifest.ts'
import * as backupManifest from '#core/backup/manifest.ts'
import { MOVED_FILE, STAGING_FOLDER } from '#core/backup/markers.ts'
import * as mediaCopy from '#core/backup/media-copy.ts'
import { turnOffWal, withReadTransaction } from '#core/backup/sqlite-file.ts'
import * as tableHashes from '#core/backup/table-hashes.ts'
import { OperatorError } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import { type Db, isoNow, type Migrations, type Tx } from '#core/database/database.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { flush, makeFolder, toSha256Hex, writePrivateFile } from '#core/process/files.ts'
import { eachConcurrently } from '#core/process/locks.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'

export interface Destination {
  folder: string
  /** The opened PostgreSQL database to restore to; null if the database is a SQLite file in the folder. */
  db: Db | null
  /** The bucket to which the pictures are restored; null if the pictures are in the folder. */
  storage: MediaStorage | null
}

const DATABASE_FILES = ['engawa.db', 'engawa.db-wal', 'engawa.db-shm']
const PARTS = ['engawa.db', 'media', logWitness.FILE, ...storedSecrets.fileNames]

/**
 * Checks a backup and restores it to an empty destination. With `overwrite`, also to a destination with data,
 * which it saves to a new folder in DATA_DIR before it replaces them: it moves existing files, and copies a
 * PostgreSQL community. Pictures in a bucket stay there. Returns the path of this folder as `aside`; null if
 * it saved nothing. An interrupted restore can be run again.
 */
export async function restoreBackup(
  backup: string,
  destination: Destination,
  migrations: readonly Migrations[],
  overwrite: boolean,
) {
  const { folder } = destination
  const checked = await backupManifest.readAndCheck(backup, migrations)
  const { manifest } = checked
  makeFolder(folder)
  const release = lockDataFolder(folder)
  try {
    const finished = await activateStage(folder)
    if (finished?.place === backup) return { manifest, aside: finished.aside }
    if (!overwrite) await assertEmpty(backup, destination, migrations)
    const aside = join(folder, `before-restore-${isoNow().replaceAll(':', '-')}`)
    await prepare(checked, destination, migrations, aside)
    await flush(join(folder, STAGING_FOLDER))
    await activateStage(folder)
    if (!destination.db) await rm(join(folder, MOVED_FILE), { force: true })
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
  destination: Destination,
  migrations: readonly Migrations[],
  aside: string,
) {
  const stage = join(destination.folder, STAGING_FOLDER)
  try {
    await writeStage(backup, stage, destination, migrations)
    if (destination.db) await restoreDatabase(backup, destination.db, migrations, aside)
    await writePrivateFile(join(stage, 'ready.part'), JSON.stringify({ place: backup.folder, aside }))
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
  { db, storage }: Destination,
  migrations: readonly Migrations[],
) {
  await rm(stage, { recursive: true, force: true })
  await mkdir(stage, { mode: 0o700 })
  if (!storage) await mkdir(join(stage, 'media'))
  const sizes = storage && (await mediaCopy.storedSizes(storage))
  await eachConcurrently(sums, backupManifest.CONCURRENCY, async ([path, hash]) => {
    if (!backupManifest.isMediaPath(path) && !storedSecrets.fileNames.includes(path)) return
    const bytes = await readFile(join(folder, path)).catch(() => null)
    if (!bytes || toSha256Hex(bytes) !== hash) throw backupManifest.damaged(folder, path)
    const name = basename(path)
    if (!storage || !backupManifest.isMediaPath(path)) await writePrivateFile(join(stage, path), bytes)
    else if (sizes!.get(name) !== bytes.length) await storage.write(name, bytes)
  })
  if (!storage) await flush(join(stage, 'media'))
  const file = join(folder, 'engawa.db')
  const found = db
    ? await tableHashes.ofSqliteFile(file, migrations)
    : await databaseCopy.copyFile(file, join(stage, 'engawa.db'), migrations)
  // Throws if the tables differ from the manifest. Then the manifest is damaged, because the hash of the
  // database file was correct.
  if (tableHashes.findDifferent(manifest.tables, found)) throw backupManifest.damaged(folder, 'backup.json')
  await writeLogWitness(file, stage, manifest)
  if (!db) await forgetStorageInFile(join(stage, 'engawa.db'), { folder, manifest })
}

/**
 * Compares the audit log of a backup with what its manifest says of it, and writes how far it goes, so that a
 * check of the restored log does not miss what came after the backup.
 */
async function writeLogWitness(file: string, stage: string, manifest: BackupManifest) {
  const position = await logPositionOf(file, manifest.tables)
  const { audit_log } = manifest
  if (audit_log && (audit_log.entries !== position?.entries || audit_log.hash !== position.hash))
    throw backupManifest.damaged(dirname(file), 'backup.json, about the log of what admins did')
  if (!position) return
  const otherBackups = { after: manifest.made_at, before: isoNow() }
  const witness = { ...position, isSealed: audit_log !== undefined, otherBackups }
  await writePrivateFile(join(stage, logWitness.FILE), logWitness.format(witness))
}

/** Adds the backup to the history of a restored database, if its version has the columns for it. */
async function recordBackup(tx: Tx, { folder, manifest }: RestoredBackup) {
  if (manifest.migrations.includes('backups 3')) await history.addRestored(tx, folder, manifest)
}

/** Deletes from a restored database which storage the community had, and adds the backup to its history. */
async function forgetStorage(tx: Tx, backup: RestoredBackup) {
  // A backup of an old version lacks this table.
  if ('secrets' in backup.manifest.tables) await storedSecrets.deleteStorageRows(tx)
  await recordBackup(tx, backup)
}

type RestoredBackup = Pick<CheckedBackup, 'folder' | 'manifest'>

async function forgetStorageInFile(file: string, backup: RestoredBackup) {
  const { db, close } = openSqlite(file)
  await transaction(db, (tx) => forgetStorage(tx, backup)).finally(close)
  turnOffWal(file)
  await flush(file)
}

/**
 * Replaces all tables of a PostgreSQL database by those of the backup, in one transaction. If the tables are
 * the same already, only deletes which storage the community had. If the database holds another community,
 * first copies that community to `aside`.
 */
const restoreDatabase = (backup: RestoredBackup, db: Db, migrations: readonly Migrations[], aside: string) =>
  withReadTransaction(join(backup.folder, 'engawa.db'), async (source) => {
    const expected = await tableHashes.ofAllTables(source, migrations)
    const found = await databaseCopy.compare(db, migrations, expected)
    if (found === 'same') {
      await transaction(db, (tx) => forgetStorage(tx, backup))
      return
    }
    if (found === 'other') {
      await mkdir(aside, { recursive: true, mode: 0o700 })
      await databaseCopy.toSqliteFile({ db }, migrations, join(aside, 'engawa.db'))
    }
    const secrets = await storedSecrets.readFiles(backup.folder)
    await databaseCopy.replaceTables(source, db, migrations, async (tx, copied) => {
      await storedSecrets.insertRestored(tx, copied, secrets)
      await recordBackup(tx, backup)
    })
  })

/**
 * If the staging folder is complete, moves its files to DATA_DIR, and the files that they replace to `aside`.
 * Can be repeated after a crash. Returns null if there is no complete staging folder.
 */
async function activateStage(folder: string): Promise<{ place: string; aside: string } | null> {
  const stage = join(folder, STAGING_FOLDER)
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
  await flush(folder)
  await rm(stage, { recursive: true })
  return { place, aside }
}

/**
 * Throws OperatorError if DATA_DIR holds a database, secrets or pictures, or if PostgreSQL or the bucket
 * holds data of another community.
 */
async function assertEmpty(backup: string, destination: Destination, migrations: readonly Migrations[]) {
  const { folder, db, storage } = destination
  const file = [...DATABASE_FILES, ...storedSecrets.fileNames].find((name) => existsSync(join(folder, name)))
  const media = join(folder, 'media')
  const hasFiles = async () =>
    existsSync(media) && (await readdir(media)).some((name) => !storedNames.needsNoRow(name))
  if (file || (!storage && (await hasFiles())))
    throw new OperatorError(
      `DATA_DIR is not empty: ${folder} holds ${file ?? 'media'}. ` +
        'With --overwrite, what is there is moved aside first.',
    )
  await withReadTransaction(join(backup, 'engawa.db'), async (source) => {
    if (
      db &&
      (await databaseCopy.compare(db, migrations, await tableHashes.ofAllTables(source, migrations))) ===
        'other'
    )
      throw new OperatorError(
        'DATABASE_URL holds a community already. With --overwrite, this one takes its place.',
      )
    const own = new Set(storage && (await mediaCopy.listNames(source)))
    for (const name of storage ? (await mediaCopy.storedSizes(storage)).keys() : [])
      if (!own.has(name) && !storedNames.needsNoRow(name))
        throw new OperatorError(
          'MEDIA_URL holds other pictures already. With --overwrite, these go beside them.',
        )
  })
}

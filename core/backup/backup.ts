import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readAuditLogPositionOfFile } from '#core/backup/audit-log.ts'
import {
  copySqliteFileAndHashTables,
  type DatabaseCopySource,
  withDatabaseSnapshot,
} from '#core/backup/database-copy.ts'
import {
  type BackupManifest,
  formatSha256SumsFile,
  isBackupMediaPath,
  readBackupManifestAndCheckFileHashes,
  readSha256SumsFile,
} from '#core/backup/manifest.ts'
import {
  createMediaBackupCopier,
  listMediaFileNamesInDatabase,
  type MediaBackupCopier,
  type PreviousBackup,
  readStoredMediaFileSizesByName,
} from '#core/backup/media-copy.ts'
import { assertSameTableHashes, sumTableRowCounts } from '#core/backup/table-hashes.ts'
import { OperatorError } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import { currentIsoTime, type MigrationsByName } from '#core/database/database.ts'
import { isDiskFullError } from '#core/database/errors.ts'
import {
  flushPathToDisk,
  hashFile,
  toSha256Hex,
  tryWritingInFolder,
  writeAndFlushFileWithMode600,
} from '#core/files.ts'
import type { MediaStorage } from '#core/media/storage.ts'

export interface BackupSource {
  database: DatabaseCopySource
  storage: MediaStorage
  /** The contents of the files that hold secrets, by the names of the files. */
  secrets: Readonly<Record<string, string>>
  migrations: readonly MigrationsByName[]
  /** The version of Engawa that makes the backup. */
  version: string
}

export interface BackupResult {
  /** The path of the folder of the new backup. */
  path: string
  bytes: number
  files: number
  rows: number
  /** The names of the files of pictures that neither the storage nor the previous backup has. */
  missing: readonly string[]
  /** The names of the files that the storage does not have, also if the previous backup has them. */
  lost: readonly string[]
}

const FINISHED_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/
const UNFINISHED_NAME = '.unfinished-'
const timestamp = () => currentIsoTime().replaceAll(':', '-')
/**
 * The maximum number of snapshots for one backup. Another snapshot is taken if a picture was deleted while
 * its files were copied.
 */
const MAX_SNAPSHOTS = 100

/**
 * Makes a backup in a new folder inside `folder`, and restores a copy of it to check it. Only then gives the
 * new folder its name, the time at which the backup began, so every folder with such a name is a complete
 * backup. Throws OperatorError if another process is making a backup in `folder`.
 */
export async function makeBackup(source: BackupSource, folder: string): Promise<BackupResult> {
  requireWritableFolder(folder)
  const release = lockDataFolder(folder, { refusal: `A backup is being made in ${folder} already.` })
  try {
    await removeUnfinished(folder)
    const name = timestamp()
    const part = join(folder, UNFINISHED_NAME + name)
    try {
      const manifest = await writeBackup(part, source, await previousBackup(folder))
      await testRestore(part, source.migrations)
      const lost = await listLostFiles(source)
      await rename(part, join(folder, name))
      await flushPathToDisk(folder)
      const { tables, pictures, missing } = manifest
      const path = join(folder, name)
      const bytes = pictures.bytes + (await stat(join(path, 'engawa.db'))).size
      return { path, bytes, files: pictures.files, rows: sumTableRowCounts(tables), missing, lost }
    } catch (error) {
      // Deletes the unfinished backup. If that fails, the next backup deletes it.
      await rm(part, { recursive: true, force: true }).catch(() => {})
      throw error
    }
  } finally {
    release()
  }
}

/** Throws OperatorError if backups cannot be written to a folder. */
export function requireWritableFolder(folder: string) {
  try {
    tryWritingInFolder(folder)
  } catch (error) {
    if (isDiskFullError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(`BACKUP_DIR takes a folder that can be written to: ${folder} cannot (${code}).`)
  }
}

/**
 * Deletes a backup. Renames its folder first, so that a partly deleted backup does not look like a complete
 * one.
 */
export async function removeBackup(path: string) {
  if (!existsSync(path)) return
  const removed = join(dirname(path), `${UNFINISHED_NAME}${timestamp()}-old`)
  await rename(path, removed)
  await rm(removed, { recursive: true, force: true })
}

async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder))
    if (name.startsWith(UNFINISHED_NAME)) await rm(join(folder, name), { recursive: true, force: true })
}

async function previousBackup(folder: string): Promise<PreviousBackup | null> {
  const names = (await readdir(folder)).filter((name) => FINISHED_NAME.test(name)).sort()
  if (!names.length) return null
  const latest = join(folder, names.at(-1)!)
  return { folder: latest, sums: await readSha256SumsFile(latest).catch(() => new Map()) }
}

/** Writes all files of a backup to the folder `part`. */
async function writeBackup(part: string, source: BackupSource, previous: PreviousBackup | null) {
  await mkdir(join(part, 'media'), { recursive: true, mode: 0o700 })
  const media = createMediaBackupCopier(source.storage, part, previous)
  // Copies most pictures before the final snapshot, so that this snapshot is held for a short time.
  await media.update(
    await withDatabaseSnapshot(source.database, source.migrations, listMediaFileNamesInDatabase),
  )
  const { migrations, tally, missing } = await copyDatabaseAndMedia(source, part, media)
  const auditLog = await readAuditLogPositionOfFile(join(part, 'engawa.db'), tally)
  const sums = new Map(media.sums)
  for (const [name, text] of Object.entries(source.secrets)) {
    await writeAndFlushFileWithMode600(join(part, name), text)
    sums.set(name, toSha256Hex(text))
  }
  sums.set('engawa.db', (await hashFile(join(part, 'engawa.db')))!)
  await writeAndFlushFileWithMode600(join(part, 'SHA256SUMS'), formatSha256SumsFile(sums))
  const manifest: BackupManifest = {
    format: 1,
    version: source.version,
    made_at: currentIsoTime(),
    made_from: 'db' in source.database ? 'postgres' : 'sqlite',
    migrations,
    tables: tally,
    pictures: await countFiles(join(part, 'media')),
    missing,
    ...(auditLog && { audit_log: auditLog }),
    sums: toSha256Hex(formatSha256SumsFile(sums)),
  }
  await writeAndFlushFileWithMode600(join(part, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const path of [join(part, 'media'), part]) await flushPathToDisk(path)
  return manifest
}

/**
 * Copies a snapshot of the database and all of its pictures. Takes another snapshot if a picture was
 * deleted meanwhile. A file that is missing in two snapshots, one after the other, is lost, and its name is
 * returned in `missing`.
 */
async function copyDatabaseAndMedia(source: BackupSource, part: string, media: MediaBackupCopier) {
  const copy = join(part, 'engawa.db')
  let before: readonly string[] = []
  for (let attempt = 1; ; attempt++) {
    const copied = await withDatabaseSnapshot(source.database, source.migrations, async (db, copyTo) => {
      const missing = await media.update(await listMediaFileNamesInDatabase(db))
      const wereMissing = missing.every((name) => before.includes(name))
      before = missing
      return wereMissing || attempt === MAX_SNAPSHOTS ? { ...(await copyTo(copy)), missing } : null
    })
    if (!copied) continue
    await chmod(copy, 0o600)
    await flushPathToDisk(copy)
    return copied
  }
}

/**
 * Lists the files that the database names and the storage does not have. Reads the names once more after the
 * list of files, because a picture may be added or deleted meanwhile.
 */
async function listLostFiles({ database, storage, migrations }: BackupSource) {
  const readNames = () => withDatabaseSnapshot(database, migrations, listMediaFileNamesInDatabase)
  const before = await readNames()
  const stored = await readStoredMediaFileSizesByName(storage)
  const absent = before.filter((name) => !stored.has(name))
  if (!absent.length) return []
  const after = new Set(await readNames())
  return absent.filter((name) => after.has(name))
}

async function countFiles(folder: string) {
  const names = await readdir(folder)
  let bytes = 0
  for (const name of names) bytes += (await stat(join(folder, name))).size
  return { files: names.length, bytes }
}

/**
 * Checks the new backup: restores its database to a temporary file in the folder of the backup, and checks
 * the hashes of all other files.
 */
async function testRestore(part: string, migrations: readonly MigrationsByName[]) {
  const { manifest, sums } = await readBackupManifestAndCheckFileHashes(part, migrations)
  const restored = join(part, 'restored.db')
  assertSameTableHashes(
    manifest.tables,
    await copySqliteFileAndHashTables(join(part, 'engawa.db'), restored, migrations),
  )
  await rm(restored)
  if ([...sums.keys()].filter(isBackupMediaPath).length !== manifest.pictures.files)
    throw new Error('The backup does not hold the pictures that it names.')
}

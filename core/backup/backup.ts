import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { logPositionOf } from '#core/backup/audit-log.ts'
import type { CopySource } from '#core/backup/database-copy.ts'
import * as databaseCopy from '#core/backup/database-copy.ts'
import type { BackupManifest } from '#core/backup/manifest.ts'
import * as backupManifest from '#core/backup/manifest.ts'
import type { Copier, PreviousBackup } from '#core/backup/media-copy.ts'
import * as mediaCopy from '#core/backup/media-copy.ts'
import * as tableHashes from '#core/backup/table-hashes.ts'
import { OperatorError } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import { isoNow, type Migrations } from '#core/database/database.ts'
import { isDiskFull } from '#core/database/errors.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { flush, hashFile, toSha256Hex, tryWriting, writePrivateFile } from '#core/process/files.ts'

export interface BackupSource {
  database: CopySource
  storage: MediaStorage
  /** The contents of the files that hold secrets, by the names of the files. */
  secrets: Readonly<Record<string, string>>
  migrations: readonly Migrations[]
  version: string
}

export interface BackupResult {
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
const timestamp = () => isoNow().replaceAll(':', '-')
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
  requireWritable(folder)
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
      await flush(folder)
      const { tables, pictures, missing } = manifest
      const path = join(folder, name)
      const bytes = pictures.bytes + (await stat(join(path, 'engawa.db'))).size
      return { path, bytes, files: pictures.files, rows: tableHashes.sumRows(tables), missing, lost }
    } catch (error) {
      // Deletes the unfinished backup. If that fails, the next backup deletes it.
      await rm(part, { recursive: true, force: true }).catch(() => {})
      throw error
    }
  } finally {
    release()
  }
}

/** Throws OperatorError if backups cannot be written to a folder, which `taker` was given. */
export function requireWritable(folder: string, taker = 'BACKUP_DIR') {
  try {
    tryWriting(folder)
  } catch (error) {
    if (isDiskFull(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(`${taker} takes a folder that can be written to: ${folder} cannot (${code}).`)
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
  return { folder: latest, sums: await backupManifest.readSums(latest).catch(() => new Map()) }
}

/** Writes all files of a backup to the folder `part`. */
async function writeBackup(part: string, source: BackupSource, previous: PreviousBackup | null) {
  await mkdir(join(part, 'media'), { recursive: true, mode: 0o700 })
  const media = mediaCopy.createCopier(source.storage, part, previous)
  // Copies most pictures before the final snapshot, so that this snapshot is held for a short time.
  await media.update(await databaseCopy.withSnapshot(source.database, source.migrations, mediaCopy.listNames))
  const { migrations, tally, missing } = await copyDatabaseAndMedia(source, part, media)
  const auditLog = await logPositionOf(join(part, 'engawa.db'), tally)
  const sums = new Map(media.sums)
  for (const [name, text] of Object.entries(source.secrets)) {
    await writePrivateFile(join(part, name), text)
    sums.set(name, toSha256Hex(text))
  }
  sums.set('engawa.db', (await hashFile(join(part, 'engawa.db')))!)
  await writePrivateFile(join(part, 'SHA256SUMS'), backupManifest.formatSums(sums))
  const manifest: BackupManifest = {
    format: 1,
    version: source.version,
    made_at: isoNow(),
    made_from: 'db' in source.database ? 'postgres' : 'sqlite',
    migrations,
    tables: tally,
    pictures: await countFiles(join(part, 'media')),
    missing,
    ...(auditLog && { audit_log: auditLog }),
    sums: toSha256Hex(backupManifest.formatSums(sums)),
  }
  await writePrivateFile(join(part, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const path of [join(part, 'media'), part]) await flush(path)
  return manifest
}

/**
 * Copies a snapshot of the database and all of its pictures. Takes another snapshot if a picture was
 * deleted meanwhile. A file that is missing in two snapshots, one after the other, is lost, and its name is
 * returned in `missing`.
 */
async function copyDatabaseAndMedia(source: BackupSource, part: string, media: Copier) {
  const copy = join(part, 'engawa.db')
  let before: readonly string[] = []
  for (let attempt = 1; ; attempt++) {
    const copied = await databaseCopy.withSnapshot(source.database, source.migrations, async (db, copyTo) => {
      const missing = await media.update(await mediaCopy.listNames(db))
      const wereMissing = missing.every((name) => before.includes(name))
      before = missing
      return wereMissing || attempt === MAX_SNAPSHOTS ? { ...(await copyTo(copy)), missing } : null
    })
    if (!copied) continue
    await chmod(copy, 0o600)
    await flush(copy)
    return copied
  }
}

/**
 * Lists the files that the database names and the storage does not have. Reads the names once more after the
 * list of files, because a picture may be added or deleted meanwhile.
 */
async function listLostFiles({ database, storage, migrations }: BackupSource) {
  const readNames = () => databaseCopy.withSnapshot(database, migrations, mediaCopy.listNames)
  const before = await readNames()
  const stored = await mediaCopy.storedSizes(storage)
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
async function testRestore(part: string, migrations: readonly Migrations[]) {
  const { manifest, sums } = await backupManifest.readAndCheck(part, migrations)
  const restored = join(part, 'restored.db')
  tableHashes.requireSame(
    manifest.tables,
    await databaseCopy.copyFile(join(part, 'engawa.db'), restored, migrations),
  )
  await rm(restored)
  if ([...sums.keys()].filter(backupManifest.isMediaPath).length !== manifest.pictures.files)
    throw new Error('The backup does not hold the pictures that it names.')
}

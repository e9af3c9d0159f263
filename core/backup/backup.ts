import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type CopySource, restoreFile, withSnapshot } from '#core/backup/database-copy.ts'
import { checkBackup, formatSums, isMedia, type Manifest, readSums } from '#core/backup/manifest.ts'
import {
  createMediaCopy,
  type MediaCopy,
  mediaFilesOf,
  type PreviousBackup,
} from '#core/backup/media-copy.ts'
import { assertSame, rowCount } from '#core/backup/tally.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import { type Migrations, now } from '#core/database/database.ts'
import { flush, hashFile, sha256, writePrivate } from '#core/files.ts'
import type { MediaStorage } from '#core/media/storage.ts'

export interface BackupSource {
  database: CopySource
  storage: MediaStorage
  /** Names and contents of the files with secrets. */
  secrets: Readonly<Record<string, string>>
  lists: readonly Migrations[]
  /** The version of Engawa that made the backup. */
  version: string
}

export interface BackupResult {
  /** The folder of the backup. */
  place: string
  bytes: number
  files: number
  rows: number
  missing: readonly string[]
}

const FINISHED = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/
const UNFINISHED = '.unfinished-'
const timestamp = () => now().replaceAll(':', '-')
/** Snapshots that are tried for one of which no picture is deleted while its files are copied. */
const MAX_SNAPSHOTS = 100

/**
 * Makes a backup in `folder`, restores it for a trial, and then gives it its name, the time: a backup with a
 * name is complete. Throws BadSetting where another process makes one in the same folder.
 */
export async function makeBackup(source: BackupSource, folder: string): Promise<BackupResult> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = lockDataFolder(folder, { refusal: `A backup is being made in ${folder} already.` })
  try {
    await removeUnfinished(folder)
    const name = timestamp()
    const part = join(folder, UNFINISHED + name)
    try {
      const manifest = await writeBackup(part, source, await previousBackup(folder))
      await testRestore(part, source.lists)
      await rename(part, join(folder, name))
      await flush(folder)
      const { tables, pictures, missing } = manifest
      const place = join(folder, name)
      const bytes = pictures.bytes + (await stat(join(place, 'engawa.db'))).size
      return { place, bytes, files: pictures.files, rows: rowCount(tables), missing }
    } catch (error) {
      await rm(part, { recursive: true, force: true }).catch(() => {}) // the next backup removes it
      throw error
    }
  } finally {
    release()
  }
}

/** Renames a backup first: one that was removed in part does not look like a good one. */
export async function removeBackup(place: string) {
  if (!existsSync(place)) return
  const removed = join(dirname(place), `${UNFINISHED}${timestamp()}-old`)
  await rename(place, removed)
  await rm(removed, { recursive: true, force: true })
}

async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder))
    if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true, force: true })
}

async function previousBackup(folder: string): Promise<PreviousBackup | null> {
  const names = (await readdir(folder)).filter((name) => FINISHED.test(name)).sort()
  if (!names.length) return null
  const latest = join(folder, names.at(-1)!)
  return { folder: latest, sums: await readSums(latest).catch(() => new Map()) }
}

/** Writes all files of a backup to `part`. */
async function writeBackup(part: string, source: BackupSource, previous: PreviousBackup | null) {
  await mkdir(join(part, 'media'), { recursive: true, mode: 0o700 })
  const media = createMediaCopy(source.storage, part, previous)
  // Most files are copied here, so that the snapshot of the database is held for a short time.
  await media.update(await withSnapshot(source.database, source.lists, mediaFilesOf))
  const { migrations, tally, missing } = await copyDatabase(source, part, media)
  const sums = new Map(media.sums)
  for (const [name, text] of Object.entries(source.secrets)) {
    await writePrivate(join(part, name), text)
    sums.set(name, sha256(text))
  }
  sums.set('engawa.db', (await hashFile(join(part, 'engawa.db')))!)
  await writePrivate(join(part, 'SHA256SUMS'), formatSums(sums))
  const manifest: Manifest = {
    format: 1,
    version: source.version,
    made_at: now(),
    made_from: 'db' in source.database ? 'postgres' : 'sqlite',
    migrations,
    tables: tally,
    pictures: await countFiles(join(part, 'media')),
    missing,
    sums: sha256(formatSums(sums)),
  }
  await writePrivate(join(part, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const path of [join(part, 'media'), part]) await flush(path)
  return manifest
}

/**
 * Copies a snapshot of the database and all of its pictures. Takes another snapshot where a picture was
 * deleted meanwhile. A file that is missing for two snapshots is lost, and is returned as missing.
 */
async function copyDatabase(source: BackupSource, part: string, media: MediaCopy) {
  const copy = join(part, 'engawa.db')
  let before: readonly string[] = []
  for (let attempt = 1; ; attempt++) {
    const copied = await withSnapshot(source.database, source.lists, async (db, copyTo) => {
      const missing = await media.update(await mediaFilesOf(db))
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

async function countFiles(folder: string) {
  const names = await readdir(folder)
  let bytes = 0
  for (const name of names) bytes += (await stat(join(folder, name))).size
  return { files: names.length, bytes }
}

/** Restores the database to a file beside the backup, and checks the hashes of all other files. */
async function testRestore(part: string, lists: readonly Migrations[]) {
  const { manifest, sums } = await checkBackup(part, lists)
  const restored = join(part, 'restored.db')
  assertSame(manifest.tables, await restoreFile(join(part, 'engawa.db'), restored, lists))
  await rm(restored)
  if ([...sums.keys()].filter(isMedia).length !== manifest.pictures.files)
    throw new Error('The backup does not hold the pictures that it names.')
}

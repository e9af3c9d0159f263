import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compareCommunity, copyDatabase, replaceDatabase, restoreFile } from '#core/backup/database-copy.ts'
import { type CheckedBackup, checkBackup, damaged, FILE_CONCURRENCY, isMedia } from '#core/backup/manifest.ts'
import { MOVED, STAGE } from '#core/backup/markers.ts'
import { mediaFilesOf, sizesOf } from '#core/backup/media-copy.ts'
import { withSqliteFile } from '#core/backup/sqlite-file.ts'
import { difference, tallyDatabase, tallyFile } from '#core/backup/tally.ts'
import { BadSetting } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import { type Db, type Migrations, now } from '#core/database/database.ts'
import { flush, sha256, writePrivate } from '#core/files.ts'
import { forEachLimit } from '#core/locks.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { readSecretFiles, secretFiles, storeSecrets } from '#core/secrets.ts'

/** Where a community is to be. */
export interface Destination {
  /** DATA_DIR */
  folder: string
  /** PostgreSQL; null where the database is a file in the folder. */
  db: Db | null
  /** A bucket; null where the pictures are in the folder. */
  storage: MediaStorage | null
}

const DATABASE_FILES = ['engawa.db', 'engawa.db-wal', 'engawa.db-shm']
const PARTS = ['engawa.db', 'media', ...secretFiles]

/**
 * Checks a backup and restores it to an empty destination. With `overwrite`, first moves what is there to a
 * folder in DATA_DIR, and returns its path as `aside`. Can be run again where it was interrupted.
 */
export async function restore(
  backup: string,
  destination: Destination,
  lists: readonly Migrations[],
  overwrite: boolean,
) {
  const { folder } = destination
  const checked = await checkBackup(backup, lists)
  const { manifest } = checked
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = lockDataFolder(folder)
  try {
    const finished = await finish(folder)
    if (finished?.place === backup) return { manifest, aside: finished.aside }
    if (!overwrite) await assertEmpty(backup, destination, lists)
    const aside = join(folder, `before-restore-${now().replaceAll(':', '-')}`)
    await prepare(checked, destination, lists, aside)
    await flush(join(folder, STAGE))
    await finish(folder)
    if (!destination.db) await rm(join(folder, MOVED), { force: true })
    return { manifest, aside: existsSync(aside) ? aside : null }
  } finally {
    release()
  }
}

/** Writes all parts to the stage, and then `ready`. Where it throws, the folder is as it was. */
async function prepare(
  backup: CheckedBackup,
  destination: Destination,
  lists: readonly Migrations[],
  aside: string,
) {
  const stage = join(destination.folder, STAGE)
  try {
    await fillStage(backup, stage, destination, lists)
    if (destination.db) await restoreDatabase(backup.folder, destination.db, lists, aside)
    await writePrivate(join(stage, 'ready.part'), JSON.stringify({ place: backup.folder, aside }))
    await rename(join(stage, 'ready.part'), join(stage, 'ready'))
  } catch (error) {
    await rm(stage, { recursive: true, force: true })
    throw error
  }
}

/** Writes pictures to the bucket or, as all other parts, to the stage. Checks each file again. */
async function fillStage(
  { folder, manifest, sums }: CheckedBackup,
  stage: string,
  { db, storage }: Destination,
  lists: readonly Migrations[],
) {
  await rm(stage, { recursive: true, force: true })
  await mkdir(stage, { mode: 0o700 })
  if (!storage) await mkdir(join(stage, 'media'))
  const sizes = storage && (await sizesOf(storage))
  await forEachLimit(sums, FILE_CONCURRENCY, async ([path, hash]) => {
    if (!isMedia(path) && !secretFiles.includes(path)) return
    const bytes = await readFile(join(folder, path)).catch(() => null)
    if (!bytes || sha256(bytes) !== hash) throw damaged(folder, path)
    const name = basename(path)
    if (!storage || !isMedia(path)) await writePrivate(join(stage, path), bytes)
    else if (sizes!.get(name) !== bytes.length) await storage.write(name, bytes)
  })
  if (!storage) await flush(join(stage, 'media'))
  const file = join(folder, 'engawa.db')
  const found = db ? await tallyFile(file, lists) : await restoreFile(file, join(stage, 'engawa.db'), lists)
  // The database is not damaged: then the manifest is.
  if (difference(manifest.tables, found)) throw damaged(folder, 'backup.json')
}

/** Replaces a PostgreSQL database in one transaction. First copies a community that is there to `aside`. */
const restoreDatabase = (backup: string, db: Db, lists: readonly Migrations[], aside: string) =>
  withSqliteFile(join(backup, 'engawa.db'), async (source) => {
    const found = await compareCommunity(db, lists, await tallyDatabase(source, lists))
    if (found === 'same') return
    if (found === 'other') {
      await mkdir(aside, { recursive: true, mode: 0o700 })
      await copyDatabase({ db }, lists, join(aside, 'engawa.db'))
    }
    const secrets = await readSecretFiles(backup)
    await replaceDatabase(source, db, lists, (tx, copied) => storeSecrets(tx, copied, secrets))
  })

/** Moves a stage that is ready to the folder, and what is there to `aside`. Can be repeated after a crash. */
async function finish(folder: string): Promise<{ place: string; aside: string } | null> {
  const stage = join(folder, STAGE)
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

/** Throws BadSetting where the folder, the database or the bucket is in use. */
async function assertEmpty(backup: string, destination: Destination, lists: readonly Migrations[]) {
  const { folder, db, storage } = destination
  const file = [...DATABASE_FILES, ...secretFiles].find((name) => existsSync(join(folder, name)))
  const media = join(folder, 'media')
  if (file || (!storage && existsSync(media) && (await readdir(media)).length))
    throw new BadSetting(
      `DATA_DIR is not empty: ${folder} holds ${file ?? 'media'}. ` +
        'With --overwrite, what is there is moved aside first.',
    )
  await withSqliteFile(join(backup, 'engawa.db'), async (source) => {
    if (db && (await compareCommunity(db, lists, await tallyDatabase(source, lists))) === 'other')
      throw new BadSetting(
        'DATABASE_URL holds a community already. With --overwrite, this one takes its place.',
      )
    const own = new Set(storage && (await mediaFilesOf(source)))
    for (const name of storage ? (await sizesOf(storage)).keys() : [])
      if (!own.has(name))
        throw new BadSetting(
          'MEDIA_URL holds other pictures already. With --overwrite, these go beside them.',
        )
  })
}

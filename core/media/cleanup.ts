import { mkdirSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#core/database/database.ts'
import { forEachConcurrently } from '#core/locks.ts'
import { deleteOnePendingMediaItem, deleteOneUnreferencedMediaItem } from '#core/media/lifecycle.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { findMediaNameOfStoredFile, isStoredWithoutMediaRow } from '#core/media/stored-names.ts'

const MINUTE = 60_000
const CLEANUP_INTERVAL = 10 * MINUTE
/** The age in ms after which a pending picture is deleted. */
const MAX_PENDING_AGE = 15 * MINUTE
/**
 * The age in ms after which a file in the scratch folder belongs to no running request. At the start of a
 * single process, younger files are deleted too.
 */
const MAX_SCRATCH_AGE = 24 * 60 * MINUTE
/** How many pictures or files are deleted at the same time. */
export const MEDIA_DELETE_CONCURRENCY = 8

export interface MediaCleanupDependencies {
  db: Db
  storage: MediaStorage
  dataFolder: string
  /** Whether no other process uses this database and this storage. */
  singleProcess: boolean
}

/**
 * Deletes the files and rows that failed requests and killed processes have left, when `cleanUp` is called
 * and every ten minutes.
 */
export function startMediaCleanup(options: MediaCleanupDependencies, log: FastifyBaseLogger) {
  const { db, storage, dataFolder, singleProcess } = options
  let running = Promise.resolve()
  const clean = (includeRunning: boolean) => {
    running = running
      .then(() => deleteLeftovers(options, includeRunning))
      .catch((error: unknown) =>
        log.warn(
          { err: error },
          'Pictures that nothing shows could not be removed; tried again in ten minutes',
        ),
      )
    return running
  }
  const timer = setInterval(() => clean(false), CLEANUP_INTERVAL).unref()
  return {
    /**
     * Deletes leftovers at the start of the process. A single process that stores pictures in a folder also
     * compares the files with the rows: it returns how many files it has moved to DATA_DIR/orphans
     * (`aside`) and from there (`back`).
     */
    async cleanUp() {
      await clean(singleProcess)
      if (!singleProcess || !storage.folder) return { aside: 0, back: 0 }
      const moved = await moveOrphans(db, storage.folder, join(dataFolder, 'orphans'))
      if (moved.aside || moved.back)
        log.warn(
          moved,
          'Files that no post and no profile speaks of were laid aside in orphans, or came back from there',
        )
      return moved
    },
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

/**
 * Deletes unreferenced pictures, old pending pictures and old scratch files. With `everything`, deletes
 * pending pictures and scratch files of any age, also those that could belong to a running request. This is
 * for the start of a single process, when no request runs.
 */
async function deleteLeftovers({ db, storage, dataFolder }: MediaCleanupDependencies, everything: boolean) {
  const unreferenced = await db.selectFrom('unreferenced_media').select('name').execute()
  await forEachConcurrently(unreferenced, MEDIA_DELETE_CONCURRENCY, ({ name }) =>
    deleteOneUnreferencedMediaItem(db, storage, name),
  )
  const limit = new Date(Date.now() - MAX_PENDING_AGE).toISOString()
  const pending = await db.selectFrom('pending_media').select(['name', 'since']).execute()
  // A bucket may still store a file after the process that sent it was killed. So the row of a young picture
  // stays after its files are deleted, and a later cleanup deletes them once more.
  const mayArrive = (since: string) => since >= limit && storage.folder === null
  await forEachConcurrently(
    pending.filter(({ since }) => everything || since < limit),
    MEDIA_DELETE_CONCURRENCY,
    async ({ name, since }) => void (await deleteOnePendingMediaItem(db, storage, name, mayArrive(since))),
  )
  await deleteOldScratchFiles(join(dataFolder, 'scratch'), everything ? -Infinity : MAX_SCRATCH_AGE)
}

/** Deletes the files of the scratch folder that are at least `age` ms old. */
async function deleteOldScratchFiles(scratch: string, age: number) {
  for (const name of await readdir(scratch)) {
    // Skips a file that a request has deleted meanwhile.
    const info = await stat(join(scratch, name)).catch(() => null)
    if (info && info.mtimeMs <= Date.now() - age) await rm(join(scratch, name), { force: true })
  }
}

/**
 * Moves the files of `folder` that have no row to `orphans`, and moves files of `orphans` that have a row
 * back. Does not delete files without a row, because the server may have been started with the wrong
 * database, or with an older one.
 */
async function moveOrphans(db: Db, folder: string, orphans: string) {
  mkdirSync(orphans, { recursive: true })
  const names = new Set((await db.selectFrom('media').select('name').execute()).map((row) => row.name))
  const hasRow = (file: string) => names.has(findMediaNameOfStoredFile(file) ?? '')
  const aside = (await readdir(folder)).filter((file) => !hasRow(file) && !isStoredWithoutMediaRow(file))
  const back = (await readdir(orphans)).filter(hasRow)
  for (const file of aside) await rename(join(folder, file), join(orphans, file))
  for (const file of back) await rename(join(orphans, file), join(folder, file))
  return { aside: aside.length, back: back.length }
}

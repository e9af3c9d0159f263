import { mkdirSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#core/database/database.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { eachConcurrently } from '#core/process/locks.ts'

const MINUTE = 60_000
const CLEANUP_INTERVAL = 10 * MINUTE
/** Milliseconds after which a pending picture is deleted. */
const MAX_PENDING_AGE = 15 * MINUTE
/** Milliseconds after which a scratch file belongs to no running request. */
const MAX_SCRATCH_AGE = 24 * 60 * MINUTE
export const DELETE_CONCURRENCY = 8

export interface CleanupOptions {
  db: Db
  storage: MediaStorage
  dataFolder: string
  singleProcess: boolean
}

/** Deletes what failed requests and killed processes have left, on `cleanUp` and every ten minutes. */
export function startCleanup(options: CleanupOptions, log: FastifyBaseLogger) {
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
     * At the start. A single process with a folder also compares files with rows: it returns how many it
     * moved to DATA_DIR/orphans (`aside`) and from there (`back`).
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

/** With `everything`, also what could belong to a running request: at the start none runs. */
async function deleteLeftovers({ db, storage, dataFolder }: CleanupOptions, everything: boolean) {
  const unreferenced = await db.selectFrom('unreferenced_media').select('name').execute()
  await eachConcurrently(unreferenced, DELETE_CONCURRENCY, ({ name }) =>
    lifecycle.removeUnreferenced(db, storage, name),
  )
  const limit = new Date(Date.now() - MAX_PENDING_AGE).toISOString()
  const pending = await db.selectFrom('pending_media').select(['name', 'since']).execute()
  // A bucket may still store a file after the process that sent it was killed. So the row of a young picture
  // stays, and a later cleanup deletes the files once more.
  const mayArrive = (since: string) => since >= limit && storage.folder === null
  await eachConcurrently(
    pending.filter(({ since }) => everything || since < limit),
    DELETE_CONCURRENCY,
    async ({ name, since }) => void (await lifecycle.removePending(db, storage, name, mayArrive(since))),
  )
  await deleteOldScratchFiles(join(dataFolder, 'scratch'), everything ? -Infinity : MAX_SCRATCH_AGE)
}

/** At least `age` ms old. */
async function deleteOldScratchFiles(scratch: string, age: number) {
  for (const name of await readdir(scratch)) {
    // A request has deleted the file meanwhile.
    const info = await stat(join(scratch, name)).catch(() => null)
    if (info && info.mtimeMs <= Date.now() - age) await rm(join(scratch, name), { force: true })
  }
}

/**
 * Moves files without a row aside, and back when they have one. Deletes none, because the server may have
 * been started with the wrong database, or an older one.
 */
async function moveOrphans(db: Db, folder: string, orphans: string) {
  mkdirSync(orphans, { recursive: true })
  const names = new Set((await db.selectFrom('media').select('name').execute()).map((row) => row.name))
  const hasRow = (file: string) => names.has(storedNames.findMedia(file) ?? '')
  const aside = (await readdir(folder)).filter((file) => !hasRow(file) && !storedNames.needsNoRow(file))
  const back = (await readdir(orphans)).filter(hasRow)
  for (const file of aside) await rename(join(folder, file), join(orphans, file))
  for (const file of back) await rename(join(orphans, file), join(folder, file))
  return { aside: aside.length, back: back.length }
}

import { mkdirSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#core/database/database.ts'
import { forEachLimit } from '#core/locks.ts'
import { deletePending, deleteUnreferenced } from '#core/media/lifecycle.ts'
import type { MediaStorage } from '#core/media/storage.ts'

const MINUTE = 60_000
const SWEEP_INTERVAL = 10 * MINUTE
/** A picture that is pending for longer than this, ms, is given up. */
const MAX_PENDING_AGE = 15 * MINUTE
/** Several processes: an original in scratch that is older than this, ms, belongs to no running request. */
const MAX_SCRATCH_AGE = 24 * 60 * MINUTE
/** Pictures that are deleted at the same time. */
export const DELETE_CONCURRENCY = 8

export interface SweepOptions {
  db: Db
  storage: MediaStorage
  dataFolder: string
  /** No other process uses this database and this storage. */
  singleProcess: boolean
}

/** Deletes what failed requests and killed processes left: in `sweep`, and then every ten minutes. */
export function startSweeper(options: SweepOptions, log: FastifyBaseLogger) {
  const { db, storage, dataFolder, singleProcess } = options
  let running = Promise.resolve()
  const clean = (everything: boolean) => {
    running = running
      .then(() => deleteLeftovers(options, everything))
      .catch((error: unknown) =>
        log.warn(
          { err: error },
          'Pictures that nothing shows could not be removed; tried again in ten minutes',
        ),
      )
    return running
  }
  const timer = setInterval(() => clean(false), SWEEP_INTERVAL).unref()
  return {
    /** Runs at the start. Returns how many files a single process has moved to and from DATA_DIR/orphans. */
    async sweep() {
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

/** With `everything` also what may belong to a running request: a single process that starts has none yet. */
async function deleteLeftovers({ db, storage, dataFolder }: SweepOptions, everything: boolean) {
  const unreferenced = await db.selectFrom('unshown_media').select('name').execute()
  await forEachLimit(unreferenced, DELETE_CONCURRENCY, ({ name }) => deleteUnreferenced(db, storage, name))
  const limit = new Date(Date.now() - MAX_PENDING_AGE).toISOString()
  const pending = await db.selectFrom('loose_media').select(['name', 'since']).execute()
  // A bucket may store a file after the process that sent it was killed.
  const mayArrive = (since: string) => since >= limit && storage.folder === null
  await forEachLimit(
    pending.filter(({ since }) => everything || since < limit),
    DELETE_CONCURRENCY,
    async ({ name, since }) => void (await deletePending(db, storage, name, mayArrive(since))),
  )
  await emptyScratch(join(dataFolder, 'scratch'), everything ? -Infinity : MAX_SCRATCH_AGE)
}

/** Deletes the files that are at least `age` ms old. */
async function emptyScratch(scratch: string, age: number) {
  for (const name of await readdir(scratch)) {
    const info = await stat(join(scratch, name)).catch(() => null) // a request has deleted it meanwhile
    if (info && info.mtimeMs <= Date.now() - age) await rm(join(scratch, name), { force: true })
  }
}

/**
 * Moves the files of `folder` that no row names to `orphans`, and files of `orphans` that a row names back.
 * They are not deleted: the server may have been started with the wrong database, or with an older one.
 */
async function moveOrphans(db: Db, folder: string, orphans: string) {
  mkdirSync(orphans, { recursive: true })
  const names = new Set((await db.selectFrom('media').select('name').execute()).map((row) => row.name))
  const hasRow = (file: string) => names.has(file.slice(0, file.lastIndexOf('-')))
  const aside = (await readdir(folder)).filter((file) => !hasRow(file))
  const back = (await readdir(orphans)).filter(hasRow)
  for (const file of aside) await rename(join(folder, file), join(orphans, file))
  for (const file of back) await rename(join(orphans, file), join(folder, file))
  return { aside: aside.length, back: back.length }
}

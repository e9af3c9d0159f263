import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import { currentIsoTime } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DataExportSection } from '#core/exports.ts'
import { PermanentJobFailure, type RunningJobIdAndAbortSignal, startJobRunner } from '#core/jobs/runner.ts'
import { writeDataExportArchive } from './archive.ts'
import {
  createDataExportArchiveStore,
  ensureDataExportFolder,
  toUnfinishedDataExportArchivePath,
} from './archive-store.ts'
import { cleanUpDataExports } from './cleanup.ts'
import {
  beginDataExportAttempt,
  insertDataExportFileRow,
  markDataExportFailed,
  markDataExportFinished,
  updateUnfinishedDataExportProgress,
} from './model.ts'
import { enqueueDataExportReadyMail } from './notices.ts'
import { createDataExportTimeFormatters } from './times.ts'
import { createZipWriter } from './zip.ts'

const MINUTE = 60_000
/**
 * The maximum number of attempts to make an archive, including attempts that ended because the process was
 * killed.
 */
const MAX_ATTEMPTS = 5
/** The minimum time between two updates of the progress in the database, in ms. */
const PROGRESS_INTERVAL = 500

/**
 * Starts the job runner that makes the archives of members. This runner is separate from the other runners,
 * so that a long export does not delay mails. It makes one archive at a time, to limit the use of memory.
 */
export const startDataExportJobRunner = (context: AppContext, sections: readonly DataExportSection[]) =>
  startJobRunner({
    db: context.db,
    log: context.log,
    handlers: { export: (payload, job) => makeExport(context, sections, payload.id, job) },
    concurrency: 1,
    attemptTimeout: 12 * 60 * MINUTE,
    // The job runner allows one attempt more than `MAX_ATTEMPTS`: in that attempt, `makeExport` marks the
    // export as failed.
    retryDelays: [1, 5, 15, 60, 60].map((minutes) => minutes * MINUTE),
  })

/** The error that stops an export when the member has removed the export meanwhile. */
class ExportRemoved extends Error {}

/**
 * Makes the archive of an export. After a failure, or after the process was killed, the job calls this
 * function again, which then starts from the beginning.
 */
async function makeExport(
  context: AppContext,
  sections: readonly DataExportSection[],
  id: number,
  { signal }: RunningJobIdAndAbortSignal,
) {
  const { db, config } = context
  const attempt = await beginDataExportAttempt(db, id)
  if (!attempt) return
  if (attempt.attempts > MAX_ATTEMPTS) {
    await markDataExportFailed(db, id)
    throw new PermanentJobFailure('Every attempt failed')
  }
  // A later attempt may find room.
  await context.disk.requireRoom()
  const { user_id, lang, time_zone, attempts } = attempt
  const store = createDataExportArchiveStore(context)
  await cleanUpDataExports(context, store) // Deletes the files of an earlier attempt.
  // Adds a random part to the name of the archive, so that no name is used twice, even after the database was
  // restored from a backup.
  const name = `${id}-${attempts}-${randomBytes(8).toString('hex')}`
  const path = toUnfinishedDataExportArchivePath(ensureDataExportFolder(config.DATA_DIR), name)
  try {
    // Adds the language to the viewer, because the queries name former members in the viewer's language.
    const viewer = { ...createMemberContextWithoutRoles(context, user_id), lang }
    const times = createDataExportTimeFormatters(lang, time_zone)
    const site = { lang, app: context.publicSite.name, madeAt: currentIsoTime(), times }
    const onProgress = await createProgressWriter(context, viewer.me.id, sections, id, signal)
    const bytes = await writeArchiveFile(path, (zip) =>
      writeDataExportArchive({ viewer, sections, site, zip, onProgress }),
    )
    await insertDataExportFileRow(db, name, bytes)
    await store.store(name, path)
    await transaction(db, async (tx) => {
      if (await markDataExportFinished(tx, id, name, bytes))
        await enqueueDataExportReadyMail(context, tx, user_id, lang)
    })
  } catch (error) {
    if (!(error instanceof ExportRemoved)) throw error
  } finally {
    await rm(path, { force: true })
  }
  // Deletes the archive if the member has removed the export meanwhile.
  await cleanUpDataExports(context, store)
}

/** Creates a ZIP file at `path` with the content that `write` adds. Returns the size of the file in bytes. */
async function writeArchiveFile(
  path: string,
  write: (zip: Awaited<ReturnType<typeof createZipWriter>>) => Promise<void>,
) {
  const zip = await createZipWriter(path)
  try {
    await write(zip)
    return await zip.end()
  } catch (error) {
    zip.destroy()
    throw error
  }
}

/**
 * Returns a function that saves the progress of an export, at most twice a second. The returned function
 * throws when the export has to stop.
 */
async function createProgressWriter(
  context: AppContext,
  member: number,
  sections: readonly DataExportSection[],
  id: number,
  signal: AbortSignal,
) {
  const viewer = createMemberContextWithoutRoles(context, member)
  const counts = await Promise.all(sections.map(({ count }) => count(viewer)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  let savedAt = 0
  return async (records: number) => {
    signal.throwIfAborted()
    if (Date.now() - savedAt < PROGRESS_INTERVAL) return
    savedAt = Date.now()
    await context.disk.requireRoom()
    // Keeps the progress below 1 until the archive is complete, because the total number of records is an
    // estimate.
    if (!(await updateUnfinishedDataExportProgress(context.db, id, Math.min(records / total, 0.99))))
      throw new ExportRemoved()
  }
}

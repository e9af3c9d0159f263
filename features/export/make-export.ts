import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type AppContext, createMemberContext } from '#core/context.ts'
import { currentIsoTime } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { ExportSection } from '#core/exports.ts'
import { type JobContext, PermanentJobFailure, startJobRunner } from '#core/jobs/runner.ts'
import { writeArchive } from './archive.ts'
import { createArchiveStore, openExportFolder, toPartPath } from './archive-store.ts'
import { beginAttempt, failExport, insertExportFileRow, markExportFinished, saveProgress } from './model.ts'
import { enqueueReadyNotice } from './notices.ts'
import { sweepExports } from './sweep.ts'
import { createZipWriter } from './zip.ts'

const MINUTE = 60_000
/** How many attempts an export has, those of killed processes included. */
const MAX_ATTEMPTS = 5
/** Milliseconds between two writes of the progress. */
const PROGRESS_INTERVAL = 500

/**
 * Starts the runner of the exports. It is one of its own, and runs one export at a time, so that long
 * exports delay no mail and use the memory of one.
 */
export const startExportRunner = (context: AppContext, sections: readonly ExportSection[]) =>
  startJobRunner({
    db: context.db,
    log: context.log,
    handlers: { export: (payload, job) => makeExport(context, sections, payload.id, job) },
    concurrency: 1,
    attemptTimeout: 12 * 60 * MINUTE,
    // One attempt more than `MAX_ATTEMPTS`, so that the last one can record the failure.
    retryDelays: [1, 5, 15, 60, 60].map((minutes) => minutes * MINUTE),
  })

/** Thrown when the member has removed the export while it was made. */
class ExportRemoved extends Error {}

/** Makes the archive of an export. Runs again from the start after a failure or a kill. */
async function makeExport(
  context: AppContext,
  sections: readonly ExportSection[],
  id: number,
  { signal }: JobContext,
) {
  const { db, config } = context
  const attempt = await beginAttempt(db, id)
  if (!attempt) return
  if (attempt.attempts > MAX_ATTEMPTS) {
    await failExport(db, id)
    throw new PermanentJobFailure('Every attempt failed')
  }
  const { user_id, lang, attempts } = attempt
  const store = createArchiveStore(context)
  await sweepExports(context, store) // deletes what an earlier attempt has left
  // The random part ensures that no name is used twice, also after a restore of the database.
  const name = `${id}-${attempts}-${randomBytes(8).toString('hex')}`
  const path = toPartPath(openExportFolder(config.DATA_DIR), name)
  try {
    const viewer = createMemberContext(context, user_id)
    const site = { lang, app: config.APP_NAME, madeAt: currentIsoTime() }
    const onProgress = await createProgressWriter(context, viewer.me.id, sections, id, signal)
    const bytes = await writeArchiveFile(path, (zip) =>
      writeArchive({ viewer, sections, site, zip, onProgress }),
    )
    await insertExportFileRow(db, name, bytes)
    await store.store(name, path)
    await transaction(db, async (tx) => {
      if (await markExportFinished(tx, id, name, bytes)) await enqueueReadyNotice(context, tx, user_id, lang)
    })
  } catch (error) {
    if (!(error instanceof ExportRemoved)) throw error
  } finally {
    await rm(path, { force: true })
  }
  await sweepExports(context, store) // deletes the archive if the export was removed meanwhile
}

/** Creates a ZIP file at `path` with the content that `write` adds. Returns its size in bytes. */
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
 * Returns a function that saves the progress at most twice a second. It throws when the export has to stop.
 */
async function createProgressWriter(
  context: AppContext,
  member: number,
  sections: readonly ExportSection[],
  id: number,
  signal: AbortSignal,
) {
  const viewer = createMemberContext(context, member)
  const counts = await Promise.all(sections.map(({ count }) => count(viewer)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  let savedAt = 0
  return async (records: number) => {
    signal.throwIfAborted()
    if (Date.now() - savedAt < PROGRESS_INTERVAL) return
    savedAt = Date.now()
    // Below 1 until the archive is complete. The counts are estimates.
    if (!(await saveProgress(context.db, id, Math.min(records / total, 0.99)))) throw new ExportRemoved()
  }
}

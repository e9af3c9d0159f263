import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type AppContext, withoutRoles } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { ExportSection } from '#core/feature/exports.ts'
import { PermanentFailure, type RunningJob, startJobRunner } from '#core/jobs/runner.ts'
import { createFormatters } from '#core/text/times.ts'
import { writeArchive } from './archive.ts'
import { createStore, ensureFolder, unfinishedPath } from './archive-store.ts'
import { cleanUp } from './cleanup.ts'
import * as model from './model.ts'
import { enqueueReadyMail } from './notices.ts'
import { createZipWriter } from './zip.ts'

const MINUTE = 60_000
/** Including attempts that ended because the process was killed. */
const MAX_ATTEMPTS = 5
/** In ms. */
const PROGRESS_INTERVAL = 500

/** The runner is separate: long exports delay no mails. One archive at a time, to limit the memory. */
export const startRunner = (context: AppContext, sections: readonly ExportSection[]) =>
  startJobRunner({
    db: context.db,
    log: context.log,
    handlers: { export: (payload, job) => makeExport(context, sections, payload.id, job) },
    concurrency: 1,
    attemptTimeout: 12 * 60 * MINUTE,
    // One attempt more than `MAX_ATTEMPTS`, in which `makeExport` marks the export as failed.
    retryDelays: [1, 5, 15, 60, 60].map((minutes) => minutes * MINUTE),
  })

/** The member has removed the export meanwhile. */
class ExportRemoved extends Error {}

/** After a failure or a killed process, the job starts from the beginning. */
async function makeExport(
  context: AppContext,
  sections: readonly ExportSection[],
  id: number,
  { signal }: RunningJob,
) {
  const { db, config } = context
  const attempt = await model.beginAttempt(db, id)
  if (!attempt) return
  if (attempt.attempts > MAX_ATTEMPTS) {
    await model.fail(db, id)
    throw new PermanentFailure('Every attempt failed')
  }
  // A later attempt may find room.
  await context.disk.requireRoom()
  const { user_id, lang, time_zone, attempts } = attempt
  const store = createStore(context)
  await cleanUp(context, store) // Files of an earlier attempt.
  // A random part, so that no name is used twice, even after a restore of the database.
  const name = `${id}-${attempts}-${randomBytes(8).toString('hex')}`
  const path = unfinishedPath(ensureFolder(config.DATA_DIR), name)
  try {
    // Queries name former members in the viewer's language.
    const viewer = { ...withoutRoles(context, user_id), lang }
    const times = createFormatters(lang, time_zone)
    const site = { lang, app: context.publicSite.name, madeAt: isoNow(), times }
    const onProgress = await createProgressWriter(context, viewer.me.id, sections, id, signal)
    const bytes = await writeArchiveFile(path, (zip) =>
      writeArchive({ viewer, sections, site, zip, onProgress }),
    )
    await model.addFile(db, name, bytes)
    await store.store(name, path)
    await transaction(db, async (tx) => {
      if (await model.finish(tx, id, name, bytes)) await enqueueReadyMail(context, tx, user_id, lang)
    })
  } catch (error) {
    if (!(error instanceof ExportRemoved)) throw error
  } finally {
    await rm(path, { force: true })
  }
  // The member may have removed the export meanwhile.
  await cleanUp(context, store)
}

/** Returns the size in bytes. */
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

/** At most twice a second. The function throws when the export has to stop. */
async function createProgressWriter(
  context: AppContext,
  member: number,
  sections: readonly ExportSection[],
  id: number,
  signal: AbortSignal,
) {
  const viewer = withoutRoles(context, member)
  const counts = await Promise.all(sections.map(({ count }) => count(viewer)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  let savedAt = 0
  return async (records: number) => {
    signal.throwIfAborted()
    if (Date.now() - savedAt < PROGRESS_INTERVAL) return
    savedAt = Date.now()
    await context.disk.requireRoom()
    // Below 1 until the archive is complete, because the total is an estimate.
    if (!(await model.saveProgress(context.db, id, Math.min(records / total, 0.99))))
      throw new ExportRemoved()
  }
}

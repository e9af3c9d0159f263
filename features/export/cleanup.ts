import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import {
  type ArchiveStore,
  createArchiveStore,
  ensureExportFolder,
  removeArchiveExtension,
} from './archive-store.ts'
import {
  createWantedFileCheck,
  deleteExportFileRow,
  deleteExportRowsAndJobs,
  expireExportsAndDeleteOldRows,
  listAllExportFiles,
  listReadyArchiveNames,
  markLostExportRemoved,
} from './model.ts'

const MINUTE = 60_000
const CLEANUP_INTERVAL = 10 * MINUTE

type CleanupContext = Pick<AppContext, 'config' | 'db' | 'storage'>

/**
 * Removes expired exports, and deletes the archives of removed exports, of deleted accounts and of processes
 * that were killed.
 */
export async function cleanUpExports(
  context: CleanupContext,
  store: ArchiveStore = createArchiveStore(context),
) {
  const { db, config } = context
  await expireExportsAndDeleteOldRows(db)
  const folder = ensureExportFolder(config.DATA_DIR)
  // Lists the files before it reads the exports, so that the check below knows the export of every listed
  // file.
  const [rows, files] = [await listAllExportFiles(db), await readdir(folder)]
  const isWanted = await createWantedFileCheck(db)
  for (const { name, bytes } of rows) {
    if (isWanted(name)) continue
    await store.remove(name, Number(bytes))
    await deleteExportFileRow(db, name)
  }
  for (const file of files)
    if (!isWanted(removeArchiveExtension(file))) await rm(join(folder, file), { force: true })
}

/**
 * Deletes the exports of an account that is being deleted, and deletes their files after the commit. If that
 * fails, the next regular clean-up deletes the files.
 */
export async function deleteExportsOfMember(context: AppContext, tx: Tx, member: number) {
  if (!(await deleteExportRowsAndJobs(tx, member))) return
  tx.afterCommit(() =>
    cleanUpExports(context).catch((error: unknown) =>
      context.log.warn({ err: error }, 'The archive of a deleted account was not removed; tried again later'),
    ),
  )
}

/**
 * Marks exports as removed if their archive no longer exists, for example after the restore of a backup,
 * which contains no archives.
 */
async function markLostExportsRemoved(db: AppContext['db'], store: ArchiveStore) {
  for (const file of await listReadyArchiveNames(db))
    if (!(await store.has(file))) await markLostExportRemoved(db, file)
}

/**
 * Marks exports as removed whose archive no longer exists, then runs `cleanUpExports` now and every ten
 * minutes. `close` resolves when the running clean-up has ended.
 */
export function startExportCleanup(context: AppContext) {
  const { db, log } = context
  const store = createArchiveStore(context)
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'Old archives of exports could not be removed; tried again in ten minutes')
  let running = markLostExportsRemoved(db, store)
    .then(() => cleanUpExports(context, store))
    .catch(warn)
  const timer = setInterval(() => {
    running = running.then(() => cleanUpExports(context, store)).catch(warn)
  }, CLEANUP_INTERVAL).unref()
  return {
    close() {
      clearInterval(timer)
      return running
    },
  }
}

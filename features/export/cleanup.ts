import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import {
  createDataExportArchiveStore,
  type DataExportArchiveStore,
  ensureDataExportFolder,
  stripDataExportArchiveExtension,
} from './archive-store.ts'
import {
  createDataExportFileStillNeededCheck,
  deleteDataExportFileRow,
  deleteDataExportRowsAndJobsOfMember,
  expireDataExportsAndDeleteOldRows,
  listAllDataExportFileRows,
  listReadyDataExportArchiveNames,
  markDataExportAsRemovedAfterFileLoss,
} from './model.ts'

const MINUTE = 60_000
const CLEANUP_INTERVAL = 10 * MINUTE

type CleanupContext = Pick<AppContext, 'config' | 'db' | 'storage'>

/**
 * Marks expired exports as removed, and deletes the archive files that nobody can download any more: those of
 * removed exports, of deleted accounts and of processes that were killed.
 */
export async function cleanUpDataExports(
  context: CleanupContext,
  store: DataExportArchiveStore = createDataExportArchiveStore(context),
) {
  const { db, config } = context
  await expireDataExportsAndDeleteOldRows(db)
  const folder = ensureDataExportFolder(config.DATA_DIR)
  // Lists the files before the check below reads the exports, so that the check knows the export of every
  // listed file.
  const [rows, files] = [await listAllDataExportFileRows(db), await readdir(folder)]
  const isWanted = await createDataExportFileStillNeededCheck(db)
  for (const { name, bytes } of rows) {
    if (isWanted(name)) continue
    await store.remove(name, Number(bytes))
    await deleteDataExportFileRow(db, name)
  }
  for (const file of files)
    if (!isWanted(stripDataExportArchiveExtension(file))) await rm(join(folder, file), { force: true })
}

/**
 * Deletes the exports of an account that is being deleted, in the transaction `tx`, and deletes their files
 * after the commit. If the deletion of the files fails, the next regular clean-up deletes them.
 */
export async function deleteDataExportsOfMember(context: AppContext, tx: Tx, member: number) {
  if (!(await deleteDataExportRowsAndJobsOfMember(tx, member))) return
  tx.afterCommit(() =>
    cleanUpDataExports(context).catch((error: unknown) =>
      context.log.warn({ err: error }, 'The archive of a deleted account was not removed; tried again later'),
    ),
  )
}

/**
 * Marks exports as removed if their archive no longer exists, for example after the restore of a backup,
 * because backups contain no archives.
 */
async function markLostExportsRemoved(db: AppContext['db'], store: DataExportArchiveStore) {
  for (const file of await listReadyDataExportArchiveNames(db))
    if (!(await store.has(file))) await markDataExportAsRemovedAfterFileLoss(db, file)
}

/**
 * Starts the regular clean-up of exports. First marks the exports as removed whose archive no longer exists,
 * then runs `cleanUpDataExports` now and every ten minutes. Returns `close`, which stops the clean-up and
 * resolves when a running one has ended.
 */
export function startDataExportCleanup(context: AppContext) {
  const { db, log } = context
  const store = createDataExportArchiveStore(context)
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'Old archives of exports could not be removed; tried again in ten minutes')
  let running = markLostExportsRemoved(db, store)
    .then(() => cleanUpDataExports(context, store))
    .catch(warn)
  const timer = setInterval(() => {
    running = running.then(() => cleanUpDataExports(context, store)).catch(warn)
  }, CLEANUP_INTERVAL).unref()
  return {
    close() {
      clearInterval(timer)
      return running
    },
  }
}

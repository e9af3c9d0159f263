import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { type ArchiveStore, archiveName, createStore, ensureFolder } from './archive-store.ts'
import * as model from './model.ts'

const MINUTE = 60_000
const CLEANUP_INTERVAL = 10 * MINUTE

type CleanupContext = Pick<AppContext, 'config' | 'db' | 'storage'>

/** Also deletes files of deleted accounts and of killed processes. */
export async function cleanUp(context: CleanupContext, store: ArchiveStore = createStore(context)) {
  const { db, config } = context
  await model.expire(db)
  const folder = ensureFolder(config.DATA_DIR)
  // Files first, so that the check knows the export of every listed file.
  const [rows, files] = [await model.listFiles(db), await readdir(folder)]
  const isWanted = await model.createNeededCheck(db)
  for (const { name, bytes } of rows) {
    if (isWanted(name)) continue
    await store.remove(name, Number(bytes))
    await model.removeFile(db, name)
  }
  for (const file of files) if (!isWanted(archiveName(file))) await rm(join(folder, file), { force: true })
}

/** Files are deleted after the commit. If that fails, the next regular clean-up deletes them. */
export async function deleteExports(context: AppContext, tx: Tx, member: number) {
  if (!(await model.deleteRows(tx, member))) return
  tx.afterCommit(() =>
    cleanUp(context).catch((error: unknown) =>
      context.log.warn({ err: error }, 'The archive of a deleted account was not removed; tried again later'),
    ),
  )
}

/** After the restore of a backup: backups contain no archives. */
async function markLostExportsRemoved(db: AppContext['db'], store: ArchiveStore) {
  for (const file of await model.listReady(db)) if (!(await store.has(file))) await model.markLost(db, file)
}

/** Now and every ten minutes. `close` resolves when a running clean-up has ended. */
export function startCleanup(context: AppContext) {
  const { db, log } = context
  const store = createStore(context)
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'Old archives of exports could not be removed; tried again in ten minutes')
  let running = markLostExportsRemoved(db, store)
    .then(() => cleanUp(context, store))
    .catch(warn)
  const timer = setInterval(() => {
    running = running.then(() => cleanUp(context, store)).catch(warn)
  }, CLEANUP_INTERVAL).unref()
  return {
    close() {
      clearInterval(timer)
      return running
    },
  }
}

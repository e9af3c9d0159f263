import { existsSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import { removeBackup } from '#core/backup/backup.ts'
import * as history from '#core/backup/history.ts'
import type { Config } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'

const CHECK_INTERVAL = 30_000

/**
 * Makes the backup of the row `id` in another process. Resolves to null if the backup succeeds, otherwise
 * to the error message of that process.
 */
export type RunElsewhere = (id: number, signal: AbortSignal) => Promise<string | null>

/**
 * Returns the local day (`2026-11-21`) of the last nightly backup that was due at `moment`. `at` is the
 * time of nightly backups, such as `03:30`.
 */
export function lastDueDay(at: string, moment: Date): string {
  const [hours, minutes] = at.split(':').map(Number)
  const due = new Date(moment)
  due.setHours(hours!, minutes, 0, 0)
  if (due > moment) due.setDate(due.getDate() - 1)
  return [due.getFullYear(), due.getMonth() + 1, due.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/**
 * Removes nightly backups whose folders exist on this machine, except the newest `keep` of them. Processes on
 * several machines may share the database, and each machine can only delete its own folders.
 */
async function removeOldBackups(db: Db, keep: number) {
  const here = (await history.listNightly(db)).filter(({ path }) => existsSync(path!))
  for (const { id, path } of here.slice(keep)) {
    await removeBackup(path!)
    await history.markRemoved(db, id)
  }
}

/**
 * Makes nightly backups at the time BACKUP_AT. Checks every half minute whether one is due, because a clock
 * may jump, and a machine may sleep. If several nights were missed, makes only one backup.
 */
export function startSchedule(
  db: Db,
  { BACKUP_AT, BACKUP_KEEP }: Config,
  log: FastifyBaseLogger,
  run: RunElsewhere,
) {
  const stop = new AbortController()
  let running: Promise<void> | null = null

  async function check() {
    const id = await history.begin(db, lastDueDay(BACKUP_AT!, new Date()))
    if (id === null) return
    const said = await run(id, stop.signal)
    if (stop.signal.aborted) return void (await history.removeUnfinished(db, id))
    const { path, error, missing } = await history.finish(db, id, said)
    if (error !== null) return log.error({ reason: error, said }, 'The nightly backup failed')
    log.info({ backup: path }, 'The nightly backup was made and proved')
    if (missing) log.error({ backup: path, missing }, 'The server lacks files of pictures')
    await removeOldBackups(db, BACKUP_KEEP)
  }

  const tick = () => {
    running ??= check()
      .catch((error: unknown) => log.error({ err: error }, 'The nightly backup could not be looked after'))
      .finally(() => {
        running = null
      })
  }
  if (BACKUP_AT) tick()
  const timer = BACKUP_AT ? setInterval(tick, CHECK_INTERVAL).unref() : undefined
  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await running
    },
  }
}

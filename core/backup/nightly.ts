import { existsSync } from 'node:fs'
import type { Generated, Updateable } from 'kysely'
import { type Made, removeBackup } from '#core/backup/backup.ts'
import { BadSetting, type Config } from '#core/config.ts'
import { type Db, type Migrations, now } from '#core/database/database.ts'
import { isDiskFull, isUnavailable } from '#core/database/errors.ts'
import { transaction } from '#core/database/transaction.ts'

export interface BackupTables {
  backups: {
    id: Generated<number>
    /** The day of a nightly one, which only one process makes; null for one by hand. */
    night: string | null
    started_at: string
    /** Whoever makes it moves this on; when it has passed, it was broken off. */
    until_at: string
    ended_at: string | null
    place: string | null
    bytes: number | null
    files: number | null
    row_count: number | null
    /** Why there is none. */
    error: string | null
  }
}
declare module '#core/database/database.ts' {
  interface Tables extends BackupTables {}
}

export const migrations: Migrations = {
  'backups 1': ({ id }) => [
    `create table backups (
      id ${id}, night text unique, started_at text not null, until_at text not null, ended_at text, place text, bytes bigint, files integer,
      row_count bigint, error text)`,
    'create index backups_ended on backups (ended_at)',
  ],
}

const MINUTE = 60_000
const LEASE = 10 * MINUTE
const lease = () => new Date(Date.now() + LEASE).toISOString()

/** Records a backup that is beginning; with `night`, null where somebody makes or made that one already. */
export const begin = (db: Db, night: string | null = null): Promise<number | null> =>
  transaction(db, async (tx) => {
    const row = { night, started_at: now(), until_at: lease(), ended_at: null }
    const begun = await tx
      .insertInto('backups')
      .values(row)
      .onConflict((c) => c.column('night').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (begun || night === null) return begun!.id
    const takenOver = await tx
      .updateTable('backups')
      .set(row)
      .where('night', '=', night)
      .where('ended_at', 'is', null)
      .where('until_at', '<', now())
      .returning('id')
      .executeTakeFirst()
    return takenOver?.id ?? null
  })

/** Makes the backup that `begin` has recorded, and records what came of it. Throws what `make` throws. */
export async function carryOut(db: Db, id: number, make: () => Promise<Made>): Promise<Made> {
  const save = (values: Updateable<BackupTables['backups']>) =>
    transaction(db, (tx) => tx.updateTable('backups').set(values).where('id', '=', id).execute())
  const alive = setInterval(() => {
    save({ until_at: lease() }).catch(() => {}) // the database is away; whoever takes over finds the folder held
  }, MINUTE)
  try {
    const made = await make()
    const { place, bytes, files, rows } = made
    await save({ ended_at: now(), place, bytes, files, row_count: rows, error: null })
    return made
  } catch (error) {
    await save({ ended_at: now(), error: reasonOf(error) }).catch(() => {}) // on a disk that is full
    throw error
  } finally {
    clearInterval(alive)
  }
}

const reasonOf = (error: unknown) => {
  if (isDiskFull(error)) return 'The disk is full.'
  if (error instanceof BadSetting) return error.message
  const { code = '' } = error as { code?: string }
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(code))
    return 'The folder for backups cannot be written to.'
  return isUnavailable(error)
    ? 'The database, or the bucket, could not be reached.'
    : 'It failed: the log of the server says why.'
}

export interface LastBackups {
  /** The newest good one. */
  good: { made_at: string; bytes: number } | null
  /** What failed after it. */
  failed: { at: string; reason: string } | null
}

export async function lastBackups(db: Db): Promise<LastBackups> {
  const good = await db
    .selectFrom('backups')
    .select(['ended_at', 'bytes'])
    .where('ended_at', 'is not', null)
    .where('error', 'is', null)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const failed = await db
    .selectFrom('backups')
    .select(['started_at', 'ended_at', 'error'])
    .where((q) =>
      q.or([q('error', 'is not', null), q.and([q('ended_at', 'is', null), q('until_at', '<', now())])]),
    )
    .where('started_at', '>', good?.ended_at ?? '')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    good: good ? { made_at: good.ended_at!, bytes: good.bytes! } : null,
    failed: failed
      ? { at: failed.ended_at ?? failed.started_at, reason: failed.error ?? 'It was broken off.' }
      : null,
  }
}

// ── Every night ─────────────────────────────────────────────────────────────

/** The day whose backup is the newest that should be there, `2026-11-21`, in the time of this machine. */
export function nightOf(at: string, moment: Date): string {
  const [hours, minutes] = at.split(':').map(Number)
  const due = new Date(moment)
  due.setHours(hours!, minutes, 0, 0)
  if (due > moment) due.setDate(due.getDate() - 1)
  return [due.getFullYear(), due.getMonth() + 1, due.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/** Removes nightly backups of this machine beyond the newest `keep`; those that were made by hand stay. */
async function prune(db: Db, keep: number) {
  const good = await db
    .selectFrom('backups')
    .select(['id', 'place'])
    .where('night', 'is not', null)
    .where('ended_at', 'is not', null)
    .where('error', 'is', null)
    .where('place', 'is not', null)
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const here = good.filter(({ place }) => existsSync(place!))
  for (const { id, place } of here.slice(keep)) {
    await removeBackup(place!)
    await transaction(db, (tx) =>
      tx.updateTable('backups').set({ place: null }).where('id', '=', id).execute(),
    )
  }
}

interface Log {
  info(facts: object, line: string): void
  error(facts: object, line: string): void
}
/** Makes the backup that was begun as `id`, in a process of its own. Resolves to its last words when it failed, else to null. */
export type Make = (id: number, stop: AbortSignal) => Promise<string | null>

/**
 * Sees every half minute by the clock on the wall, which may jump or have slept, whether a night's backup is due (BACKUP_AT), and has it made.
 * One that was missed is made at once, but only the newest.
 */
export function startNightly(db: Db, { BACKUP_AT, BACKUP_KEEP }: Config, log: Log, make: Make) {
  const stop = new AbortController()
  let running: Promise<void> | null = null

  async function look() {
    const id = await begin(db, nightOf(BACKUP_AT!, new Date()))
    if (id === null) return
    const said = await make(id, stop.signal)
    if (stop.signal.aborted)
      return void (await transaction(db, (tx) =>
        tx.deleteFrom('backups').where('id', '=', id).where('ended_at', 'is', null).execute(),
      ))
    if (said !== null)
      await transaction(db, (tx) =>
        tx
          .updateTable('backups')
          .set({ ended_at: now(), error: said || 'It was broken off.' })
          .where('id', '=', id)
          .where('ended_at', 'is', null)
          .execute(),
      )
    const { place, error } = await db
      .selectFrom('backups')
      .select(['place', 'error'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (error !== null) return log.error({ reason: error, said }, 'The nightly backup failed')
    log.info({ backup: place }, 'The nightly backup was made and proved')
    await prune(db, BACKUP_KEEP)
  }

  const tick = () => {
    running ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'The nightly backup could not be looked after'))
      .finally(() => {
        running = null
      })
  }
  if (BACKUP_AT) tick()
  const timer = BACKUP_AT ? setInterval(tick, MINUTE / 2).unref() : undefined
  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await running
    },
  }
}

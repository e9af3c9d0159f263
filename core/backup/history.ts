import type { Generated } from 'kysely'
import type { BackupResult } from '#core/backup/backup.ts'
import { BadSetting } from '#core/config.ts'
import { type Db, type Migrations, now } from '#core/database/database.ts'
import { isDiskFull, isUnavailable } from '#core/database/errors.ts'
import { transaction } from '#core/database/transaction.ts'

export interface BackupTables {
  /** One row per attempt. */
  backups: {
    id: Generated<number>
    /** The day of a nightly backup, which only one process makes; null for one that an admin started. */
    night: string | null
    started_at: string
    /** The running process extends this. When it has passed, the backup was interrupted. */
    until_at: string
    ended_at: string | null
    place: string | null
    bytes: number | null
    files: number | null
    row_count: number | null
    /** Why it failed. */
    error: string | null
  }
}
declare module '#core/database/database.ts' {
  interface Tables extends BackupTables {}
}

export const migrations: Migrations = {
  'backups 1': ({ id }) => [
    `create table backups (
      id ${id}, night text unique, started_at text not null, until_at text not null, ended_at text,
      place text, bytes bigint, files integer, row_count bigint, error text)`,
    'create index backups_ended on backups (ended_at)',
  ],
}

const MINUTE = 60_000
const LEASE = 10 * MINUTE
const leaseEnd = () => new Date(Date.now() + LEASE).toISOString()

/** Adds a row for a backup. null where another process makes, or has made, the backup of that `night`. */
export const beginBackup = (db: Db, night: string | null = null): Promise<number | null> =>
  transaction(db, async (tx) => {
    const row = { night, started_at: now(), until_at: leaseEnd(), ended_at: null }
    const added = await tx
      .insertInto('backups')
      .values(row)
      .onConflict((c) => c.column('night').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added) return added.id
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

type Changes = Partial<Omit<BackupTables['backups'], 'id'>>
const update = (db: Db, id: number, changes: Changes) =>
  transaction(db, (tx) => tx.updateTable('backups').set(changes).where('id', '=', id).execute())

/** Runs `make` for the row `id`, and records its result or failure there. Throws what `make` throws. */
export async function recordBackup(db: Db, id: number, make: () => Promise<BackupResult>) {
  const renewal = setInterval(() => {
    // The database is away. Another process that takes the night over finds the folder locked.
    update(db, id, { until_at: leaseEnd() }).catch(() => {})
  }, MINUTE)
  try {
    const result = await make()
    const { place, bytes, files, rows } = result
    await update(db, id, { ended_at: now(), place, bytes, files, row_count: rows, error: null })
    return result
  } catch (error) {
    await update(db, id, { ended_at: now(), error: reasonOf(error) }).catch(() => {}) // the disk is full
    throw error
  } finally {
    clearInterval(renewal)
  }
}

function reasonOf(error: unknown) {
  if (isDiskFull(error)) return 'The disk is full.'
  if (error instanceof BadSetting) return error.message
  const { code = '' } = error as { code?: string }
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(code))
    return 'The folder for backups cannot be written to.'
  return isUnavailable(error)
    ? 'The database, or the bucket, could not be reached.'
    : 'It failed: the log of the server says why.'
}

const INTERRUPTED = 'It was broken off.'

/** Closes the row of a process that ended without doing so, and returns the row. */
export const endBackup = (db: Db, id: number, error: string | null) =>
  transaction(db, async (tx) => {
    if (error !== null)
      await tx
        .updateTable('backups')
        .set({ ended_at: now(), error: error || INTERRUPTED })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute()
    return tx.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })

/** Deletes the row of a backup that did not end, so that the next process makes it. */
export const cancelBackup = (db: Db, id: number) =>
  transaction(db, (tx) =>
    tx.deleteFrom('backups').where('id', '=', id).where('ended_at', 'is', null).execute(),
  )

const goodBackups = (db: Db) =>
  db.selectFrom('backups').where('ended_at', 'is not', null).where('error', 'is', null)

/** Nightly backups whose folders were not removed, newest first. */
export const nightlyBackups = (db: Db) =>
  goodBackups(db)
    .select(['id', 'place'])
    .where('night', 'is not', null)
    .where('place', 'is not', null)
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export const markRemoved = (db: Db, id: number) => update(db, id, { place: null })

export interface LastBackups {
  good: { made_at: string; bytes: number } | null
  /** The last failure after the last good one. */
  failed: { at: string; reason: string } | null
}

export async function lastBackups(db: Db): Promise<LastBackups> {
  const good = await goodBackups(db)
    .select(['ended_at', 'bytes'])
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
    failed: failed ? { at: failed.ended_at ?? failed.started_at, reason: failed.error ?? INTERRUPTED } : null,
  }
}

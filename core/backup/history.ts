import type { Generated } from 'kysely'
import type { BackupResult } from '#core/backup/backup.ts'
import type { BackupManifest } from '#core/backup/manifest.ts'
import * as tableHashes from '#core/backup/table-hashes.ts'
import { OperatorError } from '#core/config.ts'
import { type Db, hasMatchingRow, isoNow, type Migrations, type Tx } from '#core/database/database.ts'
import { isDiskFull, isUnavailable } from '#core/database/errors.ts'
import { transaction } from '#core/database/transaction.ts'

export interface Tables {
  /** The table of backups, with one row for each backup that was begun, also if it failed. */
  backups: {
    id: Generated<number>
    /**
     * The local day of a nightly backup; null for a backup that somebody started by hand. Only one process
     * makes the backup of a day.
     */
    nightly_date: string | null
    started_at: string
    /**
     * The time at which the lease of the backup ends. The process that makes the backup extends the lease.
     * After this time, a backup without `ended_at` counts as interrupted.
     */
    lease_expires_at: string
    ended_at: string | null
    /** The path of the folder of the backup; null until the backup has succeeded, and after its removal. */
    path: string | null
    bytes: number | null
    files: number | null
    row_count: number | null
    /**
     * The number of files of pictures that the storage did not have; null until the backup has succeeded. The
     * backup has some of them if the backup before it had them.
     */
    missing: number | null
    /** The reason why the backup failed; null if it succeeded or still runs. */
    error: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends Tables {}
}

export const migrations: Migrations = {
  'backups 1': ({ id }) => [
    `create table backups (
      id ${id}, night text unique, started_at text not null, until_at text not null, ended_at text,
      place text, bytes bigint, files integer, row_count bigint, error text)`,
    'create index backups_ended on backups (ended_at)',
  ],
  'backups 2': () => [
    'alter table backups rename column night to nightly_date',
    'alter table backups rename column until_at to lease_expires_at',
    'alter table backups rename column place to path',
  ],
  'backups 3': () => ['alter table backups add column missing integer'],
}

const MINUTE = 60_000
const LEASE = 10 * MINUTE
const leaseEnd = () => new Date(Date.now() + LEASE).toISOString()

/**
 * Adds a row for a backup, or takes over the row of an interrupted backup. Returns the id of the row; null if
 * another process makes, or has made, the backup of that `nightly_date`.
 */
export const begin = (db: Db, nightly_date: string | null = null): Promise<number | null> =>
  transaction(db, async (tx) => {
    const row = { nightly_date, started_at: isoNow(), lease_expires_at: leaseEnd(), ended_at: null }
    const added = await tx
      .insertInto('backups')
      .values(row)
      .onConflict((c) => c.column('nightly_date').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added) return added.id
    const takenOver = await tx
      .updateTable('backups')
      .set(row)
      .where('nightly_date', '=', nightly_date)
      .where('ended_at', 'is', null)
      .where('lease_expires_at', '<', isoNow())
      .returning('id')
      .executeTakeFirst()
    return takenOver?.id ?? null
  })

type Changes = Partial<Omit<Tables['backups'], 'id'>>
const update = (db: Db, id: number, changes: Changes) =>
  transaction(db, (tx) => tx.updateTable('backups').set(changes).where('id', '=', id).execute())

/** Runs `make` and records its result or failure in the row `id`. Throws what `make` throws. */
export async function run(db: Db, id: number, make: () => Promise<BackupResult>) {
  const renewal = setInterval(() => {
    // Extends the lease, and ignores an error of the database. If the lease then ends, another process may
    // take over this row. Its backup fails, because this process has locked the folder of the backups.
    update(db, id, { lease_expires_at: leaseEnd() }).catch(() => {})
  }, MINUTE)
  try {
    const result = await make()
    const { path, bytes, files, rows, lost } = result
    const counts = { bytes, files, row_count: rows, missing: lost.length }
    await update(db, id, { ended_at: isoNow(), path, ...counts, error: null })
    return result
  } catch (error) {
    // Ignores an error of this update, which fails too if the disk is full, so that the error of `make` is
    // thrown.
    await update(db, id, { ended_at: isoNow(), error: reasonOf(error) }).catch(() => {})
    throw error
  } finally {
    clearInterval(renewal)
  }
}

function reasonOf(error: unknown) {
  if (isDiskFull(error)) return 'The disk is full.'
  if (error instanceof OperatorError) return error.message
  const { code = '' } = error as { code?: string }
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(code))
    return 'The folder for backups cannot be written to.'
  return isUnavailable(error)
    ? 'The database, or the bucket, could not be reached.'
    : 'It failed: the log of the server says why.'
}

const INTERRUPTED_ERROR = 'It was broken off.'

/**
 * Completes the row of the backup `path` in a database that was just restored from it, where this backup is
 * still unfinished. Does nothing if that was done before.
 */
export async function addRestored(tx: Tx, path: string, { made_at, ...manifest }: BackupManifest) {
  const done = tx.selectFrom('backups').select('id').where('ended_at', '=', made_at)
  if (await hasMatchingRow(done)) return
  const row = await tx
    .selectFrom('backups')
    .select('id')
    .where('ended_at', 'is', null)
    .where('started_at', '<=', made_at)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return
  const { files, bytes } = manifest.pictures
  const row_count = tableHashes.sumRows(manifest.tables)
  await tx
    .updateTable('backups')
    .set({ ended_at: made_at, path, files, bytes, row_count, missing: manifest.missing.length, error: null })
    .where('id', '=', row.id)
    .execute()
}

/**
 * Returns the row of a backup whose process has ended. `error` is the error message of that process, or null
 * if it succeeded. If the process has failed without recording its end in the row, records this error first.
 */
export const finish = (db: Db, id: number, error: string | null) =>
  transaction(db, async (tx) => {
    if (error !== null)
      await tx
        .updateTable('backups')
        .set({ ended_at: isoNow(), error: error || INTERRUPTED_ERROR })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute()
    return tx.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })

/** Deletes the row of an unfinished backup, so that another process can make this backup. */
export const removeUnfinished = (db: Db, id: number) =>
  transaction(db, (tx) =>
    tx.deleteFrom('backups').where('id', '=', id).where('ended_at', 'is', null).execute(),
  )

const goodBackups = (db: Db) =>
  db.selectFrom('backups').where('ended_at', 'is not', null).where('error', 'is', null)

/** Lists the successful nightly backups whose folders were not removed, newest first. */
export const listNightly = (db: Db) =>
  goodBackups(db)
    .select(['id', 'path'])
    .where('nightly_date', 'is not', null)
    .where('path', 'is not', null)
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Returns the number of files and the size in bytes of all backups that were not removed. */
export async function sumKept(db: Db) {
  const { bytes, files } = await goodBackups(db)
    .select((q) => [q.fn.sum('bytes').as('bytes'), q.fn.sum('files').as('files')])
    .where('path', 'is not', null)
    .executeTakeFirstOrThrow()
  return { bytes: Number(bytes ?? 0), files: Number(files ?? 0) }
}

export const markRemoved = (db: Db, id: number) => update(db, id, { path: null })

export interface LastResults {
  /** `missing` is the number of files of pictures that the storage did not have. */
  good: { made_at: string; bytes: number; missing: number } | null
  /**
   * The time and the reason of the last failed backup, if it is newer than the last successful one; otherwise
   * null.
   */
  failed: { at: string; reason: string } | null
}

/** Returns the last successful backup, and the last failure after it. */
export async function lastResults(db: Db): Promise<LastResults> {
  const good = await goodBackups(db)
    .select(['ended_at', 'bytes', 'missing'])
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const failed = await db
    .selectFrom('backups')
    .select(['started_at', 'ended_at', 'error'])
    .where((q) =>
      q.or([
        q('error', 'is not', null),
        q.and([q('ended_at', 'is', null), q('lease_expires_at', '<', isoNow())]),
      ]),
    )
    .where('started_at', '>', good?.ended_at ?? '')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    good: good ? { made_at: good.ended_at!, bytes: good.bytes!, missing: good.missing ?? 0 } : null,
    failed: failed
      ? { at: failed.ended_at ?? failed.started_at, reason: failed.error ?? INTERRUPTED_ERROR }
      : null,
  }
}

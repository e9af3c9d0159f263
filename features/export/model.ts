import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { acquireNamedTransactionLock, transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { deleteJobsWithPayload, enqueueJob } from '#core/jobs/jobs.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import type { DataExportStateAndProgress } from './contract.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** The payload of the job that makes an archive. `id` is the id of the row in `exports`. */
    export: { id: number }
  }
}

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
/** The time for which an archive can be downloaded, or for which a failure is shown, in ms. */
const LIFETIME = 7 * DAY
/** The maximum number of archives that a member may request in a day. */
const MAX_EXPORTS_PER_DAY = 5

const isoTime = (ms: number) => new Date(Date.now() + ms).toISOString()

const createTooManyExportsError = () =>
  new HttpError(
    429,
    {
      en: `You can make ${MAX_EXPORTS_PER_DAY} archives a day. Please try again tomorrow.`,
      ja: `アーカイブは1日に${MAX_EXPORTS_PER_DAY}回まで作成できます。明日もう一度お試しください。`,
    },
    undefined,
    { 'retry-after': String(DAY / 1000) },
  )

// ── Requests of the member for an archive ───────────────────────────────────

/**
 * Reads the row of a member's current export; undefined if there is none. A removed or expired export does
 * not count.
 */
export const findCurrentDataExportRow = (db: Db, member: number) =>
  db
    .selectFrom('exports')
    .selectAll()
    .where('user_id', '=', member)
    .where('removed_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', currentIsoTime())]))
    .executeTakeFirst()

export type DataExportRow = NonNullable<Awaited<ReturnType<typeof findCurrentDataExportRow>>>

/** Converts a row of `exports` to the status that the member sees. */
export const toDataExportStateAndProgress = (row: DataExportRow): DataExportStateAndProgress => ({
  state: row.finished_at ? 'ready' : row.failed_at ? 'failed' : row.attempts ? 'running' : 'waiting',
  progress: row.progress / 1000,
  bytes: row.bytes === null ? null : Number(row.bytes),
  created_at: row.created_at,
  expires_at: row.expires_at,
})

/**
 * Requests a new archive for the member, which replaces a finished one. Does nothing if an archive is being
 * made already. Throws 429 after too many requests in a day, and 507 if the disk has no room.
 */
export async function requestDataExport(
  { db, me, disk }: MemberContext,
  { lang, timeZone, network }: { lang: Language; timeZone: string; network: string },
) {
  await disk.requireRoom()
  await transaction(db, async (tx) => {
    await acquireNamedTransactionLock(tx, `export ${me.id}`)
    const current = await findCurrentDataExportRow(tx, me.id)
    if (current && !current.finished_at && !current.failed_at) return
    const recent = await tx
      .selectFrom('exports')
      .select('id')
      .where('user_id', '=', me.id)
      .where('created_at', '>', isoTime(-DAY))
      .limit(MAX_EXPORTS_PER_DAY)
      .execute()
    if (recent.length >= MAX_EXPORTS_PER_DAY) throw createTooManyExportsError()
    await markDataExportOfMemberRemoved(tx, me.id)
    const { id } = await tx
      .insertInto('exports')
      .values({ user_id: me.id, lang, time_zone: timeZone, created_at: currentIsoTime() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordSecurityEvent(tx, me.id, 'data_exported', { network })
    await enqueueJob(tx, 'export', { id })
  })
}

/**
 * Marks the member's export as removed. `cleanUpDataExports` deletes the files later. Returns false if the
 * member has no export.
 */
export async function markDataExportOfMemberRemoved(tx: Tx, member: number) {
  const { numUpdatedRows } = await tx
    .updateTable('exports')
    .set({ removed_at: currentIsoTime() })
    .where('user_id', '=', member)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Deletes the rows of the exports of an account that is being deleted, with their jobs. Returns whether there
 * were any. `cleanUpDataExports` deletes the files later.
 */
export async function deleteDataExportRowsAndJobsOfMember(tx: Tx, member: number) {
  const deleted = await tx.deleteFrom('exports').where('user_id', '=', member).returning('id').execute()
  for (const { id } of deleted) await deleteJobsWithPayload(tx, 'export', { id })
  return deleted.length > 0
}

// ── The job that makes an archive ───────────────────────────────────────────

const unfinished = (tx: Tx, id: number) =>
  tx
    .updateTable('exports')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null)

/**
 * Begins an attempt to make an archive, and returns the row of the export with the number of the attempt.
 * Returns undefined if the export was removed, has failed, or is complete already.
 */
export const beginDataExportAttempt = (db: Db, id: number) =>
  transaction(db, (tx) =>
    unfinished(tx, id)
      .set((row) => ({ attempts: row('attempts', '+', 1), progress: 0 }))
      .returning(['id', 'user_id', 'lang', 'time_zone', 'attempts'])
      .executeTakeFirst(),
  )

/**
 * Stores the progress (0 to 1) of an unfinished export. Returns false if the export was removed, has finished
 * or has failed.
 */
export async function updateUnfinishedDataExportProgress(db: Db, id: number, progress: number) {
  const { numUpdatedRows } = await transaction(db, (tx) =>
    unfinished(tx, id)
      .set({ progress: Math.floor(Math.min(progress, 1) * 1000) })
      .executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
}

export const insertDataExportFileRow = (db: Db, name: string, bytes: number) =>
  transaction(db, (tx) => tx.insertInto('export_files').values({ name, bytes }).execute())

/**
 * Marks an export as finished, so that the member can download its archive `file`. Returns false if the
 * export was removed meanwhile.
 */
export async function markDataExportFinished(tx: Tx, id: number, file: string, bytes: number) {
  const { numUpdatedRows } = await unfinished(tx, id)
    .set({ file, bytes, progress: 1000, finished_at: currentIsoTime(), expires_at: isoTime(LIFETIME) })
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const markDataExportFailed = (db: Db, id: number) =>
  transaction(db, (tx) =>
    unfinished(tx, id)
      .set({ failed_at: currentIsoTime(), expires_at: isoTime(LIFETIME) })
      .execute(),
  )

// ── The regular clean-up of old archives ───────────────────────────────────────

/**
 * Marks expired exports as removed, and deletes the rows of exports that were removed more than a day ago.
 */
export const expireDataExportsAndDeleteOldRows = (db: Db) =>
  transaction(db, async (tx) => {
    await tx
      .updateTable('exports')
      .set({ removed_at: currentIsoTime() })
      .where('removed_at', 'is', null)
      .where('expires_at', '<=', currentIsoTime())
      .execute()
    await tx.deleteFrom('exports').where('removed_at', '<', isoTime(-DAY)).execute()
  })

/**
 * Marks an export as removed because its archive `file` no longer exists, for example after the restore of a
 * backup.
 */
export const markDataExportAsRemovedAfterFileLoss = (db: Db, file: string) =>
  transaction(db, (tx) =>
    tx
      .updateTable('exports')
      .set({ removed_at: currentIsoTime() })
      .where('file', '=', file)
      .where('removed_at', 'is', null)
      .execute(),
  )

/** Returns the names of the complete archives that members can download. */
export async function listReadyDataExportArchiveNames(db: Db) {
  const rows = await db
    .selectFrom('exports')
    .select('file')
    .where('removed_at', 'is', null)
    .where('file', 'is not', null)
    .execute()
  return rows.map(({ file }) => file!)
}

/**
 * Returns a function that says whether an archive file is still needed: its archive is complete and not
 * removed, or is being written. The names of archives begin with the id of the export and the number of the
 * attempt.
 */
export async function createDataExportFileStillNeededCheck(db: Db) {
  const running = await db
    .selectFrom('exports')
    .select(sql<string>`id || '-' || attempts || '-'`.as('prefix'))
    .where('removed_at', 'is', null)
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null)
    .execute()
  const prefixes = new Set(running.map(({ prefix }) => prefix))
  const finished = new Set(await listReadyDataExportArchiveNames(db))
  return (name: string) => finished.has(name) || prefixes.has(/^\d+-\d+-/.exec(name)?.[0] ?? '')
}

export const listAllDataExportFileRows = (db: Db) =>
  db.selectFrom('export_files').select(['name', 'bytes']).execute()

export const deleteDataExportFileRow = (db: Db, name: string) =>
  transaction(db, (tx) => tx.deleteFrom('export_files').where('name', '=', name).execute())

import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { deleteJobs, enqueueJob } from '#core/jobs/jobs.ts'
import * as securityLog from '#features/people/security-log.ts'
import type { ExportState } from './contract.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** The row in `exports`. */
    export: { id: number }
  }
}

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
/** In ms: a download, or a shown failure. */
const LIFETIME = 7 * DAY
const MAX_EXPORTS_PER_DAY = 5

const isoTime = (ms: number) => new Date(Date.now() + ms).toISOString()

const tooManyExports = () =>
  new HttpError(
    429,
    {
      en: `You can make ${MAX_EXPORTS_PER_DAY} archives a day. Please try again tomorrow.`,
      ja: `データの控えを作成できるのは、1日${MAX_EXPORTS_PER_DAY}回までです。明日もう一度お試しください。`,
    },
    undefined,
    { 'retry-after': String(DAY / 1000) },
  )

/** Neither removed nor expired. */
export const findCurrent = (db: Db, member: number) =>
  db
    .selectFrom('exports')
    .selectAll()
    .where('user_id', '=', member)
    .where('removed_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', isoNow())]))
    .executeTakeFirst()

export type ExportRow = NonNullable<Awaited<ReturnType<typeof findCurrent>>>

export const toState = (row: ExportRow): ExportState => ({
  state: row.finished_at ? 'ready' : row.failed_at ? 'failed' : row.attempts ? 'running' : 'waiting',
  progress: row.progress / 1000,
  bytes: row.bytes === null ? null : Number(row.bytes),
  created_at: row.created_at,
  expires_at: row.expires_at,
})

/** Does nothing while one is being made. 429 after too many in a day, 507 if the disk has no room. */
export async function request(
  { db, me, disk }: MemberContext,
  { lang, timeZone, network }: { lang: Language; timeZone: string; network: string },
) {
  await disk.requireRoom()
  await transaction(db, async (tx) => {
    await lockName(tx, `export ${me.id}`)
    const current = await findCurrent(tx, me.id)
    if (current && !current.finished_at && !current.failed_at) return
    const recent = await tx
      .selectFrom('exports')
      .select('id')
      .where('user_id', '=', me.id)
      .where('created_at', '>', isoTime(-DAY))
      .limit(MAX_EXPORTS_PER_DAY)
      .execute()
    if (recent.length >= MAX_EXPORTS_PER_DAY) throw tooManyExports()
    await remove(tx, me.id)
    const { id } = await tx
      .insertInto('exports')
      .values({ user_id: me.id, lang, time_zone: timeZone, created_at: isoNow() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await securityLog.record(tx, me.id, 'data_exported', { network })
    await enqueueJob(tx, 'export', { id })
  })
}

/** `cleanUp` deletes the files later. False if there was none. */
export async function remove(tx: Tx, member: number) {
  const { numUpdatedRows } = await tx
    .updateTable('exports')
    .set({ removed_at: isoNow() })
    .where('user_id', '=', member)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** `cleanUp` deletes the files later. False if there were none. */
export async function deleteRows(tx: Tx, member: number) {
  const deleted = await tx.deleteFrom('exports').where('user_id', '=', member).returning('id').execute()
  for (const { id } of deleted) await deleteJobs(tx, 'export', { id })
  return deleted.length > 0
}

const unfinished = (tx: Tx, id: number) =>
  tx
    .updateTable('exports')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null)

/** With the number of the attempt. Undefined if the export was removed, has failed, or is complete. */
export const beginAttempt = (db: Db, id: number) =>
  transaction(db, (tx) =>
    unfinished(tx, id)
      .set((row) => ({ attempts: row('attempts', '+', 1), progress: 0 }))
      .returning(['id', 'user_id', 'lang', 'time_zone', 'attempts'])
      .executeTakeFirst(),
  )

/** From 0 to 1. False if the export was removed, has finished or has failed. */
export async function saveProgress(db: Db, id: number, progress: number) {
  const { numUpdatedRows } = await transaction(db, (tx) =>
    unfinished(tx, id)
      .set({ progress: Math.floor(Math.min(progress, 1) * 1000) })
      .executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
}

export const addFile = (db: Db, name: string, bytes: number) =>
  transaction(db, (tx) => tx.insertInto('export_files').values({ name, bytes }).execute())

/** False if the export was removed meanwhile. */
export async function finish(tx: Tx, id: number, file: string, bytes: number) {
  const { numUpdatedRows } = await unfinished(tx, id)
    .set({ file, bytes, progress: 1000, finished_at: isoNow(), expires_at: isoTime(LIFETIME) })
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const fail = (db: Db, id: number) =>
  transaction(db, (tx) =>
    unfinished(tx, id)
      .set({ failed_at: isoNow(), expires_at: isoTime(LIFETIME) })
      .execute(),
  )

/** Rows stay for a day after the removal. */
export const expire = (db: Db) =>
  transaction(db, async (tx) => {
    await tx
      .updateTable('exports')
      .set({ removed_at: isoNow() })
      .where('removed_at', 'is', null)
      .where('expires_at', '<=', isoNow())
      .execute()
    await tx.deleteFrom('exports').where('removed_at', '<', isoTime(-DAY)).execute()
  })

/** After the restore of a backup, for example. */
export const markLost = (db: Db, file: string) =>
  transaction(db, (tx) =>
    tx
      .updateTable('exports')
      .set({ removed_at: isoNow() })
      .where('file', '=', file)
      .where('removed_at', 'is', null)
      .execute(),
  )

export async function listReady(db: Db) {
  const rows = await db
    .selectFrom('exports')
    .select('file')
    .where('removed_at', 'is', null)
    .where('file', 'is not', null)
    .execute()
  return rows.map(({ file }) => file!)
}

/** Complete and not removed, or being written. Names begin with the id of the export and the attempt. */
export async function createNeededCheck(db: Db) {
  const running = await db
    .selectFrom('exports')
    .select(sql<string>`id || '-' || attempts || '-'`.as('prefix'))
    .where('removed_at', 'is', null)
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null)
    .execute()
  const prefixes = new Set(running.map(({ prefix }) => prefix))
  const finished = new Set(await listReady(db))
  return (name: string) => finished.has(name) || prefixes.has(/^\d+-\d+-/.exec(name)?.[0] ?? '')
}

export const listFiles = (db: Db) => db.selectFrom('export_files').select(['name', 'bytes']).execute()

export const removeFile = (db: Db, name: string) =>
  transaction(db, (tx) => tx.deleteFrom('export_files').where('name', '=', name).execute())

import type { ContentKind, ContentSummary, CutoffTimes, Retention } from '#core/community/retention.ts'
import { readSettings } from '#core/community/settings.ts'
import { MAX_PREVIEW_COUNT, type SettingValues } from '#core/community/settings-contract.ts'
import type { AppContext } from '#core/context.ts'
import { type Db, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { repeatWithPauses, startHourly } from '#core/process/hourly-cleanup.ts'
import type { Removals, RetentionDays, RetentionPreview } from './contract.ts'

// Pictures of replies and profile pictures stay. A changed number takes effect after a day, so that admins
// can take it back, and members can read it before.

const DAY = 24 * 3600_000
const GRACE = DAY

const settingNames = { messages: 'keep_messages_days', pictures: 'keep_pictures_days' } as const
const kinds = ['messages', 'pictures'] as const

type RetentionSettings = Pick<SettingValues, (typeof settingNames)[ContentKind]>

const toLimit = (days: number | null, now = Date.now()) =>
  days === null ? null : new Date(now - days * DAY).toISOString()

const createRecord = <T>(create: (kind: ContentKind) => T) =>
  ({ messages: create('messages'), pictures: create('pictures') }) satisfies Record<ContentKind, T>

/** Postpones also for a larger number, because the old one may not have taken effect yet. */
export async function postpone(
  tx: Tx,
  { config }: Pick<AppContext, 'config'>,
  changes: { readonly [Name in keyof RetentionSettings]?: RetentionSettings[Name] | undefined },
) {
  const changed = kinds.filter((kind) => changes[settingNames[kind]] !== undefined)
  if (!changed.length) return
  const stored = await readSettings(tx, config)
  const starts_at = new Date(Date.now() + GRACE).toISOString()
  for (const kind of changed)
    if (changes[settingNames[kind]] !== stored[settingNames[kind]])
      await tx
        .insertInto('retention_schedules')
        .values({ kind, starts_at, removed_count: 0, removed_bytes: 0 })
        .onConflict((c) => c.column('kind').doUpdateSet({ starts_at }))
        .execute()
}

const readSchedules = async (db: Db) => {
  const rows = await db.selectFrom('retention_schedules').selectAll().execute()
  return createRecord((wanted) => rows.find(({ kind }) => kind === wanted))
}

export async function get({ db, config }: AppContext): Promise<RetentionDays> {
  const settings = await readSettings(db, config)
  const schedules = await readSchedules(db)
  return createRecord((kind) => {
    const days = settings[settingNames[kind]]
    return { days, starts_at: days === null ? null : (schedules[kind]?.starts_at ?? null) }
  })
}

export async function getLastRemovals(db: Db): Promise<Removals> {
  const schedules = await readSchedules(db)
  return createRecord((kind) => {
    const row = schedules[kind]
    return {
      last_run_at: row?.last_run_at ?? null,
      removed_on: row?.removed_on ?? null,
      removed_count: Number(row?.removed_count ?? 0),
      removed_bytes: Number(row?.removed_bytes ?? 0),
    }
  })
}

export async function preview(
  context: AppContext,
  features: readonly Retention[],
  { keep_messages_days, keep_pictures_days }: RetentionSettings,
): Promise<RetentionPreview> {
  const limits: CutoffTimes = {
    messages: toLimit(keep_messages_days),
    pictures: toLimit(keep_pictures_days),
  }
  const total = createRecord((): ContentSummary => ({ count: 0, bytes: 0, oldest: null }))
  for (const feature of features) {
    const counts = await feature.count(context, limits)
    for (const kind of kinds) total[kind] = addCounts(total[kind], counts[kind])
  }
  return total
}

function addCounts(a: ContentSummary, b: ContentSummary | undefined): ContentSummary {
  if (!b) return a
  const times = [a.oldest, b.oldest].filter((time) => time !== null).sort()
  const count = Math.min(a.count + b.count, MAX_PREVIEW_COUNT + 1)
  return { count, bytes: a.bytes + b.bytes, oldest: times[0] ?? null }
}

type RemoveBatch = NonNullable<Retention['removeBatch'][ContentKind]>

/** In small transactions. Stops between two of them when `signal` is aborted. */
export async function removeOld(context: AppContext, features: readonly Retention[], signal?: AbortSignal) {
  for (const kind of kinds) {
    for (const { removeBatch } of features) {
      const remove = removeBatch[kind]
      if (remove) await repeatWithPauses(() => removeOneBatch(context, kind, remove), signal)
    }
    if (signal?.aborted) return
    await transaction(context.db, (tx) =>
      tx
        .updateTable('retention_schedules')
        .set({ last_run_at: isoNow() })
        .where('kind', '=', kind)
        .where('starts_at', '<=', isoNow())
        .execute(),
    )
  }
}

/**
 * Reads the setting in the same transaction, so nothing is removed after an admin took a change back. The
 * lock of the row lets one process remove this kind at a time. Returns whether another batch may follow.
 */
const removeOneBatch = (context: AppContext, kind: ContentKind, remove: RemoveBatch) =>
  transaction(context.db, async (tx) => {
    const schedule = await tx
      .selectFrom('retention_schedules')
      .selectAll()
      .where('kind', '=', kind)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    const limit = toLimit((await readSettings(tx, context.config))[settingNames[kind]])
    if (!schedule || limit === null || schedule.starts_at > isoNow()) return false
    const { count, bytes, hasMore } = await remove(context, tx, limit)
    if (!count) return hasMore
    const today = isoNow().slice(0, 10)
    const before = schedule.removed_on === today ? schedule : { removed_count: 0, removed_bytes: 0 }
    await tx
      .updateTable('retention_schedules')
      .set({
        removed_on: today,
        removed_count: Number(before.removed_count) + count,
        removed_bytes: Number(before.removed_bytes) + bytes,
      })
      .where('kind', '=', kind)
      .execute()
    return hasMore
  })

/** Runs now and every hour. `close` ends the job after the running batch. */
export const startCleanup = (context: AppContext, features: readonly Retention[]) =>
  startHourly(
    context,
    (signal) => removeOld(context, features, signal),
    'Old messages and pictures could not be removed; tried again in an hour',
  )

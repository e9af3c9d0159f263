import { readCommunitySettingsWithDefaults } from '#core/community-settings.ts'
import {
  type CommunitySettingValues,
  MAX_COUNT_IN_RETENTION_PREVIEW,
} from '#core/community-settings-contract.ts'
import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Db, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { repeatWithPauses, startHourlyCleanup } from '#core/hourly-cleanup.ts'
import type {
  FeatureRetentionFunctions,
  RemovableContentKind,
  RemovableContentSummary,
  RetentionCutoffTimes,
} from '#core/retention.ts'
import type {
  LastRetentionRemovals,
  RetentionDaysAndStartTimes,
  RetentionPreview,
} from './retention-contract.ts'

// This file removes messages, and pictures of posts and messages, that are older than the numbers of days in
// the settings. Pictures of replies and profile pictures stay. A change of a number takes effect after a day,
// so that admins can take it back, and members can read it before.

const DAY = 24 * 3600_000
const GRACE = DAY

const settingNames = { messages: 'keep_messages_days', pictures: 'keep_pictures_days' } as const
const kinds = ['messages', 'pictures'] as const

type RetentionSettings = Pick<CommunitySettingValues, (typeof settingNames)[RemovableContentKind]>

const toLimit = (days: number | null, now = Date.now()) =>
  days === null ? null : new Date(now - days * DAY).toISOString()

const createRecord = <T>(create: (kind: RemovableContentKind) => T) =>
  ({ messages: create('messages'), pictures: create('pictures') }) satisfies Record<RemovableContentKind, T>

/**
 * For each kind of content whose number of days changes, stores that the removal begins in one day; until
 * then, no content of this kind is removed. Runs in the transaction that saves the changed settings. This
 * also applies to a larger number, because the old number may not have taken effect yet.
 */
export async function postponeRemovalsAfterRetentionChange(
  tx: Tx,
  { config }: Pick<AppContext, 'config'>,
  changes: { readonly [Name in keyof RetentionSettings]?: RetentionSettings[Name] | undefined },
) {
  const changed = kinds.filter((kind) => changes[settingNames[kind]] !== undefined)
  if (!changed.length) return
  const stored = await readCommunitySettingsWithDefaults(tx, config)
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

/** Returns for how many days messages and pictures are kept, and when their removals begin. */
export async function readRetentionDaysAndStartTimes({
  db,
  config,
}: AppContext): Promise<RetentionDaysAndStartTimes> {
  const settings = await readCommunitySettingsWithDefaults(db, config)
  const schedules = await readSchedules(db)
  return createRecord((kind) => {
    const days = settings[settingNames[kind]]
    return { days, starts_at: days === null ? null : (schedules[kind]?.starts_at ?? null) }
  })
}

/**
 * Returns for messages and for pictures when the job that removes old ones last ran, and how much it removed
 * on the last day on which it removed anything.
 */
export async function readLastRetentionRemovals(db: Db): Promise<LastRetentionRemovals> {
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

/**
 * Counts the messages and pictures that all features together would remove now if things were kept for the
 * given numbers of days.
 */
export async function previewRetentionRemovals(
  context: AppContext,
  features: readonly FeatureRetentionFunctions[],
  { keep_messages_days, keep_pictures_days }: RetentionSettings,
): Promise<RetentionPreview> {
  const limits: RetentionCutoffTimes = {
    messages: toLimit(keep_messages_days),
    pictures: toLimit(keep_pictures_days),
  }
  const total = createRecord((): RemovableContentSummary => ({ count: 0, bytes: 0, oldest: null }))
  for (const feature of features) {
    const counts = await feature.count(context, limits)
    for (const kind of kinds) total[kind] = addCounts(total[kind], counts[kind])
  }
  return total
}

function addCounts(
  a: RemovableContentSummary,
  b: RemovableContentSummary | undefined,
): RemovableContentSummary {
  if (!b) return a
  const times = [a.oldest, b.oldest].filter((time) => time !== null).sort()
  const count = Math.min(a.count + b.count, MAX_COUNT_IN_RETENTION_PREVIEW + 1)
  return { count, bytes: a.bytes + b.bytes, oldest: times[0] ?? null }
}

type RemoveBatch = NonNullable<FeatureRetentionFunctions['removeBatch'][RemovableContentKind]>

/**
 * Removes all messages and pictures that are older than the settings allow, in small transactions. Stops
 * between two transactions when `signal` is aborted.
 */
export async function removeMessagesAndPicturesPastRetention(
  context: AppContext,
  features: readonly FeatureRetentionFunctions[],
  signal?: AbortSignal,
) {
  for (const kind of kinds) {
    for (const { removeBatch } of features) {
      const remove = removeBatch[kind]
      if (remove) await repeatWithPauses(() => removeOneBatch(context, kind, remove), signal)
    }
    if (signal?.aborted) return
    await transaction(context.db, (tx) =>
      tx
        .updateTable('retention_schedules')
        .set({ last_run_at: currentIsoTime() })
        .where('kind', '=', kind)
        .where('starts_at', '<=', currentIsoTime())
        .execute(),
    )
  }
}

/**
 * Removes one batch of old content of one kind, and adds its size to the stored counts, in one transaction.
 * Reads the setting in the same transaction, so that nothing is removed after an admin has taken a change of
 * the setting back. The lock of the row in `retention_schedules` lets only one process remove content of this
 * kind at a time. Returns whether another batch may follow.
 */
const removeOneBatch = (context: AppContext, kind: RemovableContentKind, remove: RemoveBatch) =>
  transaction(context.db, async (tx) => {
    const schedule = await tx
      .selectFrom('retention_schedules')
      .selectAll()
      .where('kind', '=', kind)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    const limit = toLimit((await readCommunitySettingsWithDefaults(tx, context.config))[settingNames[kind]])
    if (!schedule || limit === null || schedule.starts_at > currentIsoTime()) return false
    const { count, bytes, hasMore } = await remove(context, tx, limit)
    if (!count) return hasMore
    const today = currentIsoTime().slice(0, 10)
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

/**
 * Starts a background job that removes too old messages and pictures now and every hour. `close` of the
 * returned object ends the job after the running batch.
 */
export const startRetentionCleanup = (context: AppContext, features: readonly FeatureRetentionFunctions[]) =>
  startHourlyCleanup(
    context,
    (signal) => removeMessagesAndPicturesPastRetention(context, features, signal),
    'Old messages and pictures could not be removed; tried again in an hour',
  )

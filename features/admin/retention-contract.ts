import * as v from 'valibot'
import { retentionDayChoices, retentionDaysSchema } from '#core/community-settings-contract.ts'
import { defineEndpoint, isoTimestampSchema, noInputSchema } from '#core/contract.ts'

/**
 * The schema of a number of days in a query string. An absent or empty value means that things are kept for
 * ever.
 */
const optionalDaysSchema = v.optional(
  v.pipe(
    v.picklist(['', ...retentionDayChoices.map(String)], 'invalid'),
    v.transform((days) => (days === '' ? null : Number(days))),
    v.nullable(retentionDaysSchema),
  ),
  '',
)

const RetentionRule = v.object({
  /** The number of days after which messages or pictures are removed; null if they are never removed. */
  days: v.nullable(retentionDaysSchema),
  /** The time when the removal begins, or has begun; null if nothing is ever removed. */
  starts_at: v.nullable(isoTimestampSchema),
})
export const retentionDaysAndStartTimesSchema = v.object({ messages: RetentionRule, pictures: RetentionRule })
export type RetentionDaysAndStartTimes = v.InferOutput<typeof retentionDaysAndStartTimesSchema>

const RetentionPreviewPart = v.object({
  /**
   * The number of messages or pictures that would be removed. It is at most `MAX_COUNT_IN_RETENTION_PREVIEW`
   * + 1, which means more than `MAX_COUNT_IN_RETENTION_PREVIEW`.
   */
  count: v.number(),
  /** The total size in bytes of the pictures that would be removed. */
  bytes: v.number(),
  /**
   * The time of the oldest message that would be removed, or of the oldest message or post that would lose a
   * picture; null for none.
   */
  oldest: v.nullable(isoTimestampSchema),
})
const RetentionPreview = v.object({ messages: RetentionPreviewPart, pictures: RetentionPreviewPart })
export type RetentionPreview = v.InferOutput<typeof RetentionPreview>

const LastRemoval = v.object({
  /** When the job that removes old messages or pictures last ran; null if it has not run yet. */
  last_run_at: v.nullable(isoTimestampSchema),
  /**
   * The day (UTC, `2026-11-23`) on which the job last removed something; null if it has never removed
   * anything.
   */
  removed_on: v.nullable(v.string()),
  /** The number of messages or pictures that the job removed on the day `removed_on`. */
  removed_count: v.number(),
  removed_bytes: v.number(),
})
const LastRemovals = v.object({ messages: LastRemoval, pictures: LastRemoval })
export type LastRetentionRemovals = v.InferOutput<typeof LastRemovals>

export const retentionEndpoints = {
  /**
   * Returns for how many days messages, and the pictures of posts and messages, are kept, and when removals
   * begin. All members may read this.
   */
  show: defineEndpoint('GET /api/retention', 'member', noInputSchema, retentionDaysAndStartTimesSchema),
  /**
   * Counts the messages and pictures that would be removed now if things were kept for the given numbers of
   * days. Changes nothing.
   */
  preview: defineEndpoint(
    'GET /api/admin/retention-preview',
    'admin',
    v.object({ keep_messages_days: optionalDaysSchema, keep_pictures_days: optionalDaysSchema }),
    RetentionPreview,
    { limits: [{ max: 30, by: 'account' }] },
  ),
  /**
   * Returns for messages and for pictures when the job that removes old ones last ran, and how much it
   * removed on the last day on which it removed anything.
   */
  lastRemovals: defineEndpoint('GET /api/admin/retention', 'admin', noInputSchema, LastRemovals),
}

import * as v from 'valibot'
import { retentionDayChoices, retentionDaysSchema } from '#core/community-settings-contract.ts'
import { defineEndpoint, isoTimestampSchema, noInputSchema } from '#core/contract.ts'

/** The number of days in a query. An absent or empty value means for ever. */
const optionalDaysSchema = v.optional(
  v.pipe(
    v.picklist(['', ...retentionDayChoices.map(String)], 'invalid'),
    v.transform((days) => (days === '' ? null : Number(days))),
    v.nullable(retentionDaysSchema),
  ),
  '',
)

const RetentionRule = v.object({
  /** The number of days after which things are removed; null for never. */
  days: v.nullable(retentionDaysSchema),
  /** When the removal begins, or began; null for never. */
  starts_at: v.nullable(isoTimestampSchema),
})
export const retentionSchema = v.object({ messages: RetentionRule, pictures: RetentionRule })
export type Retention = v.InferOutput<typeof retentionSchema>

const RetentionPreviewPart = v.object({
  /** At most `MAX_COUNT_IN_RETENTION_PREVIEW` + 1, which means more than `MAX_COUNT_IN_RETENTION_PREVIEW`. */
  count: v.number(),
  /** The bytes of the counted pictures. */
  bytes: v.number(),
  /** The time of the oldest message, or of the oldest message or post with a picture; null for none. */
  oldest: v.nullable(isoTimestampSchema),
})
const RetentionPreview = v.object({ messages: RetentionPreviewPart, pictures: RetentionPreviewPart })
export type RetentionPreview = v.InferOutput<typeof RetentionPreview>

const LastRemoval = v.object({
  /** When the removal last ran; null before the first time. */
  last_run_at: v.nullable(isoTimestampSchema),
  /** The day (UTC, `2026-11-23`) of the last removal; null if nothing was removed yet. */
  removed_on: v.nullable(v.string()),
  /** The number of things that were removed on that day. */
  removed_count: v.number(),
  removed_bytes: v.number(),
})
const LastRemovals = v.object({ messages: LastRemoval, pictures: LastRemoval })
export type LastRetentionRemovals = v.InferOutput<typeof LastRemovals>

export const retentionEndpoints = {
  /** Says how long messages, and the pictures of posts and messages, are kept. All members may read it. */
  show: defineEndpoint('GET /api/retention', 'member', noInputSchema, retentionSchema),
  /** Counts what would be removed now with these numbers of days. Changes nothing. */
  preview: defineEndpoint(
    'GET /api/admin/retention-preview',
    'admin',
    v.object({ keep_messages_days: optionalDaysSchema, keep_pictures_days: optionalDaysSchema }),
    RetentionPreview,
    { limits: [{ max: 30, by: 'account' }] },
  ),
  /**
   * Returns when the removals last ran, and how much they removed on the last day on which they removed
   * anything.
   */
  lastRemovals: defineEndpoint('GET /api/admin/retention', 'admin', noInputSchema, LastRemovals),
}

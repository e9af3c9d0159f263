import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'

/** The kinds of content that a community may remove after some time. */
export type RemovableContentKind = 'messages' | 'pictures'

/** The times (ISO 8601) before which messages and pictures are removed; null to keep them for ever. */
export type RetentionCutoffTimes = Readonly<Record<RemovableContentKind, string | null>>

/**
 * How much one removal would remove. `count` is at most `MAX_COUNT_IN_RETENTION_PREVIEW` + 1, which means
 * that there are more; `bytes` then counts only the oldest ones. `oldest` is the time of the oldest message,
 * or of the message or post to which the oldest picture belongs.
 */
export interface RemovableContentSummary {
  count: number
  /** The bytes of the counted pictures; 0 in a count of messages. */
  bytes: number
  oldest: string | null
}

/** The result of one batch: how much it has removed, and whether another batch may follow (`hasMore`). */
export interface RetentionBatchResult {
  count: number
  bytes: number
  hasMore: boolean
}

/** The part of a feature that counts and removes old messages or pictures. */
export interface FeatureRetentionFunctions {
  /** Counts the messages and pictures that a removal with the times `limits` would remove. */
  count(
    context: AppContext,
    limits: RetentionCutoffTimes,
  ): Promise<Partial<Record<RemovableContentKind, RemovableContentSummary>>>
  /**
   * For each kind, a function that removes one batch of the messages or pictures that are older than
   * `before`.
   */
  removeBatch: {
    readonly [Kind in RemovableContentKind]?: (
      context: AppContext,
      tx: Tx,
      before: string,
    ) => Promise<RetentionBatchResult>
  }
}

/** Returns the later one of two times; null if there is neither. */
export const findLaterTime = (a: string | null, b: string | null) =>
  a === null || (b !== null && b > a) ? b : a

interface CountRow {
  count: number | string
  bytes: number | string | null
  oldest: string | null
}

/** Converts the row of a count, because PostgreSQL returns large numbers as text. */
export const parseRemovableContentSummaryRow = ({
  count,
  bytes,
  oldest,
}: CountRow): RemovableContentSummary => ({
  count: Number(count),
  bytes: Number(bytes ?? 0),
  oldest,
})

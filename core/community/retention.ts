import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'

export type ContentKind = 'messages' | 'pictures'

/** The times (ISO 8601) before which messages and pictures are removed; null to keep them for ever. */
export type CutoffTimes = Readonly<Record<ContentKind, string | null>>

/**
 * How much one removal would remove. `count` is at most `MAX_PREVIEW_COUNT` + 1, which means
 * that there are more; `bytes` then counts only the oldest ones. `oldest` is the time of the oldest message,
 * or of the message or post to which the oldest picture belongs.
 */
export interface ContentSummary {
  count: number
  /** The bytes of the counted pictures; 0 in a count of messages. */
  bytes: number
  oldest: string | null
}

/** The result of one batch: how much it has removed, and whether another batch may follow (`hasMore`). */
export interface BatchResult {
  count: number
  bytes: number
  hasMore: boolean
}

export interface Retention {
  /** Counts the messages and pictures that a removal with the times `limits` would remove. */
  count(context: AppContext, limits: CutoffTimes): Promise<Partial<Record<ContentKind, ContentSummary>>>
  /**
   * For each kind, a function that removes one batch of the messages or pictures that are older than
   * `before`.
   */
  removeBatch: {
    readonly [Kind in ContentKind]?: (context: AppContext, tx: Tx, before: string) => Promise<BatchResult>
  }
}

export const findLaterTime = (a: string | null, b: string | null) =>
  a === null || (b !== null && b > a) ? b : a

interface CountRow {
  count: number | string
  bytes: number | string | null
  oldest: string | null
}

/** Converts the row of a count, because PostgreSQL returns large numbers as text. */
export const parseSummary = ({ count, bytes, oldest }: CountRow): ContentSummary => ({
  count: Number(count),
  bytes: Number(bytes ?? 0),
  oldest,
})

import { type RawBuilder, sql } from 'kysely'

/**
 * Builds conditions for what members have reported. The feature that has reports provides them in its module.
 * Features that may not import it use the conditions to keep the posts about which moderators have not yet
 * decided.
 */
export interface OpenReports {
  /** SQL condition: whether moderators have not yet decided about a report of the post with this id. */
  isPostReported(id: RawBuilder<number>): RawBuilder<boolean>
}

/** The conditions of a community without a feature that has reports: nothing is reported. */
export const noOpenReports: OpenReports = { isPostReported: () => sql`1 = 0` }

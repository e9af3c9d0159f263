import { type RawBuilder, sql } from 'kysely'

/**
 * Builds conditions for what members have reported. The feature that has reports provides them in its module.
 * Features that may not import it use them to keep what moderators still look at.
 */
export interface OpenReports {
  /** SQL condition: whether moderators have not yet decided about a report of the post with this id. */
  isPostReported(id: RawBuilder<number>): RawBuilder<boolean>
}

/** Without a feature that has reports: nothing is reported. */
export const noOpenReports: OpenReports = { isPostReported: () => sql`1 = 0` }

import { type RawBuilder, sql } from 'kysely'

/**
 * Builds conditions for what members have reported. The feature that has reports provides them in its
 * module. Features that may not import that feature use the conditions to keep the pictures of a reported
 * post until moderators have decided about it.
 */
export interface OpenReports {
  /**
   * Builds the SQL condition that moderators have not yet decided about a report of the post with this id.
   */
  isPostReported(id: RawBuilder<number>): RawBuilder<boolean>
}

export const noReports: OpenReports = {
  isPostReported: () => sql`1 = 0`,
}

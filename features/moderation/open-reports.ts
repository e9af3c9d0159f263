import { sql } from 'kysely'
import type { PostHasOpenReportSqlConditionBuilders } from '#core/open-reports.ts'

/**
 * Conditions for SQL queries of the feature posts, which does not import this feature: whether a post has
 * reports about which moderators have not decided yet.
 */
export const postHasOpenReportSqlConditionBuilders: PostHasOpenReportSqlConditionBuilders = {
  isPostReported: (id) => sql`exists (
    select 1 from report_cases rc where rc.kind = 'post' and rc.subject_id = ${id} and rc.closed_at is null)`,
}

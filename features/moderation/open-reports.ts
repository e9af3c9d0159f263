import { sql } from 'kysely'
import type { OpenReportSqlConditions } from '#core/open-reports.ts'

/**
 * SQL conditions that the feature posts uses without importing this feature: whether a post has reports
 * about which moderators have not decided yet.
 */
export const openReportSqlConditions: OpenReportSqlConditions = {
  isPostReported: (id) => sql`exists (
    select 1 from report_cases rc where rc.kind = 'post' and rc.subject_id = ${id} and rc.closed_at is null)`,
}

import { sql } from 'kysely'
import type { OpenReports } from '#core/feature/open-reports.ts'

/** For queries of the feature posts, which does not import this feature. */
export const openReports: OpenReports = {
  isPostReported: (id) => sql`exists (
    select 1 from report_cases rc where rc.kind = 'post' and rc.subject_id = ${id} and rc.closed_at is null)`,
}

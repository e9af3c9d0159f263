import { sql } from 'kysely'
import type { OpenReports } from '#core/open-reports.ts'

/** Conditions for earlier features: what moderators have not yet decided about. */
export const openReports: OpenReports = {
  isPostReported: (id) => sql`exists (
    select 1 from report_cases rc where rc.kind = 'post' and rc.subject_id = ${id} and rc.closed_at is null)`,
}

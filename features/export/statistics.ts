import { sql } from 'kysely'
import type { MemberFilesQuery } from '#core/community/statistics.ts'

export const archiveSizes: MemberFilesQuery = {
  kind: 'archives',
  buildQuery: () => sql`
    select user_id, bytes from exports where bytes is not null and removed_at is null`,
}

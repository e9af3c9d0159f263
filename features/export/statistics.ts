import { sql } from 'kysely'
import type { MemberFileKindAndSizeQueryBuilder } from '#core/statistics.ts'

/**
 * The definition with which the statistics about members' files count the archives of members' data that have
 * not been removed.
 */
export const dataExportArchiveSizeStatisticsDefinition: MemberFileKindAndSizeQueryBuilder = {
  kind: 'archives',
  buildQuery: () => sql`
    select user_id, bytes from exports where bytes is not null and removed_at is null`,
}

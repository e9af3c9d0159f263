import { sql } from 'kysely'
import { type FeatureStatistics, selectAuthorsSince } from '#core/statistics.ts'
import { groupsQuery } from './read-groups.ts'

export const chatStatistics: FeatureStatistics = {
  counts: (db) => groupsQuery(db).select(sql<number>`count(*)`.as('groups')).executeTakeFirstOrThrow(),
  authors: (since) => selectAuthorsSince('messages', since),
}

import { sql } from 'kysely'
import { authorsSince, type Statistics } from '#core/statistics.ts'
import { groups } from './read-groups.ts'

export const statistics: Statistics = {
  counts: (db) => groups(db).select(sql<number>`count(*)`.as('groups')).executeTakeFirstOrThrow(),
  authors: (since) => authorsSince('messages', since),
}

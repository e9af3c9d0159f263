import { sql } from 'kysely'
import { type FeatureStatistics, selectAuthorsSince } from '#core/statistics.ts'

const authors = (since: string) => selectAuthorsSince('posts', since)

export const postStatistics: FeatureStatistics = {
  async counts(db, since) {
    const query = sql<{
      posts_today: number
    }>`select count(*) as posts_today from (${authors(since)}) as recent`
    return (await query.execute(db)).rows[0]!
  },
  authors,
}

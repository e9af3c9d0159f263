import { sql } from 'kysely'
import { authorsSince, type Statistics } from '#core/statistics.ts'

const authors = (since: string) => authorsSince('posts', since)

export const statistics: Statistics = {
  async counts(db, since) {
    const query = sql<{
      posts_today: number
    }>`select count(*) as posts_today from (${authors(since)}) as recent`
    return (await query.execute(db)).rows[0]!
  },
  authors,
}

import { sql } from 'kysely'
import {
  buildUserIdPerRowSinceQuery,
  type FeatureStatisticsFunctions,
  type MemberFileKindAndSizeQueryBuilder,
} from '#core/statistics.ts'

const authors = (since: string) => buildUserIdPerRowSinceQuery('posts', since)

export const postStatisticsQueries: FeatureStatisticsFunctions = {
  async counts(db, since) {
    const query = sql<{
      posts_today: number
    }>`select count(*) as posts_today from (${authors(since)}) as recent`
    return (await query.execute(db)).rows[0]!
  },
  authors,
}

/**
 * The query for the owner and the size of each picture in posts. The admins' list of what takes space uses
 * it.
 */
export const postPictureStatisticsDefinition: MemberFileKindAndSizeQueryBuilder = {
  kind: 'post_pictures',
  buildQuery: () => sql`
    select posts.user_id, media.bytes from post_images
    join posts on posts.id = post_images.post_id join media on media.name = post_images.media`,
}
